import type { Int64, Operation } from './contract.ts'
import { etagHeader } from './etag.ts'
import { encodeJson, exactDigits } from './json.ts'
import type { SendOptions } from './options.ts'
import { randomId } from './random-id.ts'
import type { TransportOptions } from './read-options.ts'
import { version } from './version.ts'
import { pageAddress } from './web-page.ts'

/** A request in the terms of the service. */
export interface ApiRequest {
  operation: Operation
  /** Fills the placeholder in the path of the operation, or several in their order. */
  id?: Int64 | string | readonly Int64[] | undefined
  query?: object | URLSearchParams | undefined
  headers?: Record<string, string | undefined>
  body?: object
  /** A body that is sent as it is. */
  source?: BodySource
  /** Whether the service recognises a repetition by an idempotency key, which is random unless the caller has one. */
  isKeyed?: boolean
  /**
   * Whether the service refuses this request once it was carried out, so that it can be repeated without a
   * precondition.
   */
  isRefusedTwice?: boolean
}

export interface BodySource {
  /** The body of the next attempt. */
  open(): Promise<RequestInit['body']>
  /** The error of the body that was opened last, if reading it failed. */
  readonly failure?: { readonly error: unknown } | undefined
}

/** A request in the terms of `fetch`, without the API key. */
export interface HttpRequest {
  url: string
  method: string
  headers: Headers
  source: BodySource
}

export function buildRequest(
  { operation, id, query, headers, body, source, isKeyed }: ApiRequest,
  { baseUrl, strict, defaultHeaders }: Pick<TransportOptions, 'baseUrl' | 'strict' | 'defaultHeaders'>,
  { ifMatch, ifNoneMatch, idempotencyKey, headers: callHeaders }: SendOptions,
): HttpRequest {
  const ids = [id].flat()
  const path = operation.path.replace(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = ids.shift()
    return typeof value === 'string' ? encodeURIComponent(value) : exactDigits(name, value ?? Number.NaN)
  })
  const search = String(query instanceof URLSearchParams ? query : searchParamsOf(query))
  // Built here so that an invalid value throws a TypeError; from fetch it would look like a broken connection.
  const all = new Headers()
  for (const some of [
    {
      accept: 'application/json',
      'content-type': body && 'application/json',
      'x-request-id': randomId(),
      // A browser has its own.
      'user-agent': pageAddress() ? undefined : `petstore-client/${version}`,
    },
    defaultHeaders,
    callHeaders,
    {
      ...headers,
      prefer: [headers?.['prefer'], strict && 'handling=strict'].filter(Boolean).join(', ') || undefined,
      'if-match': etagHeader('ifMatch', ifMatch),
      'if-none-match': etagHeader('ifNoneMatch', ifNoneMatch),
      'idempotency-key': isKeyed ? (idempotencyKey ?? randomId()) : undefined,
    },
  ]) {
    for (const [name, value] of Object.entries(some ?? {})) if (value !== undefined) all.set(name, value)
  }
  const text = body && encodeJson(body)
  return {
    url: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    method: operation.method,
    headers: all,
    source: source ?? { open: async () => text },
  }
}

export function searchParamsOf(query: object = {}): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, string | boolean | Int64 | Date | undefined][]) {
    if (value === undefined) continue
    if (value === null) throw new TypeError(`${name} must not be null: leave it out.`)
    if (value instanceof Date) search.set(name, value.toISOString())
    else search.set(name, typeof value === 'number' ? exactDigits(name, value) : String(value))
  }
  return search
}
