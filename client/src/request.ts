import type { Int64, Operation } from './contract.ts'
import { encodeJson, exactDigits } from './json.ts'
import type { TransportOptions } from './read-options.ts'
import { version } from './version.ts'
import { pageAddress } from './web-page.ts'

/** A request in the terms of the service. */
export interface ApiRequest {
  operation: Operation
  /** Fills the placeholder in the path of the operation. */
  id?: Int64 | string
  query?: object | URLSearchParams | undefined
  headers?: Record<string, string | undefined>
  body?: object
  /** Returns a body that is sent as it is, for each attempt. */
  openBody?: () => Promise<RequestInit['body']>
  /**
   * Whether the service refuses this request once it was carried out, so that it can be repeated without a
   * precondition.
   */
  isRefusedTwice?: boolean
}

/** A request in the terms of `fetch`, without the API key. */
export interface HttpRequest {
  url: string
  method: string
  headers: Headers
  openBody: () => Promise<RequestInit['body']>
}

export function buildRequest(
  { operation, id, query, headers, body, openBody }: ApiRequest,
  { baseUrl, strict, defaultHeaders }: Pick<TransportOptions, 'baseUrl' | 'strict' | 'defaultHeaders'>,
  requestId: string,
  callHeaders?: Record<string, string>,
): HttpRequest {
  const path = operation.path.replace(/\{(\w+)\}/, (_braces, name: string) =>
    typeof id === 'string' ? encodeURIComponent(id) : exactDigits(name, id ?? Number.NaN),
  )
  const search = String(query instanceof URLSearchParams ? query : searchParamsOf(query))
  // Built here so that an invalid value throws a TypeError; from fetch it would look like a broken connection.
  const all = new Headers()
  for (const some of [
    {
      accept: 'application/json',
      'content-type': body && 'application/json',
      'x-request-id': requestId,
      // A browser has its own.
      'user-agent': pageAddress() === undefined ? `petstore-client/${version}` : undefined,
    },
    defaultHeaders,
    callHeaders,
    { ...headers, prefer: preferencesOf(headers?.['prefer'], strict) },
  ]) {
    for (const [name, value] of Object.entries(some ?? {})) if (value !== undefined) all.set(name, value)
  }
  const text = body && encodeJson(body)
  return {
    url: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    method: operation.method,
    headers: all,
    openBody: openBody ?? (async () => text),
  }
}

function preferencesOf(given: string | undefined, strict: boolean): string | undefined {
  if (!strict) return given
  return given === undefined ? 'handling=strict' : `${given}, handling=strict`
}

export function searchParamsOf(query: object = {}): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, string | Int64 | Date | undefined][]) {
    if (value === undefined) continue
    if (value === null) throw new TypeError(`${name} must not be null: leave it out.`)
    if (value instanceof Date) search.set(name, value.toISOString())
    else search.set(name, typeof value === 'string' ? value : exactDigits(name, value))
  }
  return search
}
