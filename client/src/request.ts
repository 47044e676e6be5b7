import type { Int64, Operation } from './contract.ts'
import { encodeJson, exactDigits } from './json.ts'
import type { TransportOptions } from './read-options.ts'

/** A request in the terms of the service. */
export interface ApiRequest {
  operation: Operation
  /** Fills the placeholder in the path of the operation. */
  id?: Int64 | string
  query?: object | URLSearchParams | undefined
  headers?: Record<string, string | undefined>
  body?: object
  /** A body that is sent as it is. */
  rawBody?: RequestInit['body']
  /**
   * Whether the service refuses this request once it was carried out, so that it can be repeated without a
   * precondition.
   */
  isRefusedTwice?: boolean
}

/** A request in the terms of `fetch`. */
export interface HttpRequest {
  url: string
  init: RequestInit & { headers: Headers }
}

export function buildRequest(
  { operation, id, query, headers, body, rawBody }: ApiRequest,
  { baseUrl, apiKey, strict }: Pick<TransportOptions, 'baseUrl' | 'apiKey' | 'strict'>,
  requestId: string,
): HttpRequest {
  const path = operation.path.replace(/\{(\w+)\}/, (_braces, name: string) =>
    typeof id === 'string' ? encodeURIComponent(id) : exactDigits(name, id ?? Number.NaN),
  )
  const search = String(query instanceof URLSearchParams ? query : searchParamsOf(query))
  const all = {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    'content-type': body === undefined ? undefined : 'application/json',
    'x-request-id': requestId,
    ...headers,
    prefer: preferencesOf(headers?.['prefer'], strict),
  }
  const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined)
  return {
    url: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    init: {
      method: operation.method,
      // Built here so that an invalid header value throws a TypeError; from fetch it would look like a broken
      // connection.
      headers: new Headers(given),
      // The service never redirects, and following a redirect could turn a POST into a GET.
      redirect: 'manual',
      ...(body !== undefined && { body: encodeJson(body) }),
      // `duplex` is needed for a stream.
      ...(rawBody !== undefined && { body: rawBody, duplex: 'half' }),
    },
  }
}

function preferencesOf(given: string | undefined, strict: boolean): string | undefined {
  if (!strict) return given
  return given === undefined ? 'handling=strict' : `${given}, handling=strict`
}

export function searchParamsOf(query: object = {}): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, string | Int64 | undefined][]) {
    if (value !== undefined) search.set(name, typeof value === 'string' ? value : exactDigits(name, value))
  }
  return search
}
