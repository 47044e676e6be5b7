import { PetStoreError } from '../../inventory/errors.ts'

/** The headers that this service reads. A request without one has undefined. */
const absent = {
  accept: undefined,
  'accept-encoding': undefined,
  'access-control-request-method': undefined,
  authorization: undefined,
  'content-encoding': undefined,
  'content-length': undefined,
  'content-type': undefined,
  expect: undefined,
  forwarded: undefined,
  host: undefined,
  'idempotency-key': undefined,
  'if-match': undefined,
  'if-none-match': undefined,
  'last-event-id': undefined,
  origin: undefined,
  prefer: undefined,
  'transfer-encoding': undefined,
  via: undefined,
  'x-forwarded-for': undefined,
  'x-forwarded-host': undefined,
  'x-forwarded-proto': undefined,
  'x-real-ip': undefined,
  'x-request-id': undefined,
}

export type HeaderName = keyof typeof absent

/** The headers of a request, as Node's `request.headers` has them. */
export type RequestHeaders = Readonly<Record<HeaderName, string | undefined>> & {
  /** The names of headers that were sent more than once. */
  readonly repeated: ReadonlySet<HeaderName> | undefined
}

/** Anything that comes with the headers of a request. */
export interface WithHeaders {
  readonly headers: RequestHeaders
}

const known: ReadonlySet<string> = new Set(Object.keys(absent))
// Most other headers differ already by their length.
const lengths = new Set(Array.from(known, ({ length }) => length))
/** Of these Node keeps the first value; it joins those of the others. */
const keepsFirst: ReadonlySet<HeaderName> = new Set(['authorization', 'content-length', 'content-type', 'host'])

/** Reads the headers once. Much cheaper than `request.headers`, which Node builds of all headers on first access. */
export function readHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const headers: { -readonly [Name in keyof RequestHeaders]: RequestHeaders[Name] } = { ...absent, repeated: undefined }
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] as string
    if (!lengths.has(raw.length)) continue
    const name = raw.toLowerCase() as HeaderName
    if (!known.has(name)) continue
    const value = rawHeaders[index + 1] as string
    const before = headers[name]
    if (before === undefined) {
      headers[name] = value
      continue
    }
    headers.repeated = new Set(headers.repeated).add(name)
    if (!keepsFirst.has(name)) headers[name] = `${before}, ${value}`
  }
  return headers
}

/**
 * The error for a repeated header; undefined if it was sent at most once. Node keeps the first of two `Content-Type`
 * headers and joins most others with a comma; a proxy in front might have used another one.
 */
export function refusalOfRepeated({ headers }: WithHeaders, name: string): PetStoreError | undefined {
  if (headers.repeated?.has(name.toLowerCase() as HeaderName) !== true) return undefined
  return new PetStoreError('invalid_request', `${name} must be sent once: the request has several such headers.`)
}
