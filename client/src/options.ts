import type { Int64 } from './contract.ts'
import type { Warning } from './deprecation.ts'
import type { WithEtag } from './etag.ts'
import type { RuntimeFetch, RuntimeSignal } from './runtime-types.ts'

export interface PetStoreOptions {
  /** The address of the service, which ends in `/v1`. On a web page it may be a path. */
  baseUrl: string | { readonly href: string }
  apiKey: string
  /** How long one attempt of a call may take. 10,000 unless given. */
  timeoutMs?: number | undefined
  retry?: RetryOptions | undefined
  /** Called once for each deprecated operation that is used. `console.warn` unless given. */
  onWarning?: ((warning: Warning) => void) | undefined
  /** Used in the place of the runtime's own. */
  fetch?: RuntimeFetch | undefined
}

export interface RetryOptions {
  /** How often a call is tried at most, the first time included. 1 for no retries. 4 unless given. */
  maxAttempts?: number | undefined
  /** How long a call may take at most, with all attempts and delays. 60,000 unless given. */
  totalTimeoutMs?: number | undefined
  /** The longest delay before the first retry. It doubles with each further one. 250 unless given. */
  baseDelayMs?: number | undefined
  /** The longest delay, unless the service asks for more. 10,000 unless given. */
  maxDelayMs?: number | undefined
}

/** The last argument of every method. */
export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. What was sent may be carried out nevertheless. */
  signal?: RuntimeSignal | undefined
  /** How long one attempt may take. */
  timeoutMs?: number | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * Names this attempt: with the same key and the same body again, even from another process, nothing is done twice.
   * A random one unless given.
   */
  idempotencyKey?: string | undefined
}

export interface ChangeOptions<Resource extends object> extends CallOptions {
  /** Only if nobody changed it since: an ETag, or the resource as it was returned with one. Else `precondition_failed`. */
  ifMatch?: string | WithEtag<Resource> | undefined
}

export interface PutOptions<Resource extends object> extends ChangeOptions<Resource> {
  /** Only if there is none yet. Else `precondition_failed`. */
  ifNoneMatch?: '*' | undefined
}

export interface FollowOptions extends CallOptions {
  /** The id of the last event that is known already; 0 for all that are kept. From now on unless given. */
  after?: Int64 | string | undefined
  /**
   * After this long without a sign of life a connection counts as broken. The service gives one every 15 seconds.
   * 45,000 unless given.
   */
  maxSilenceMs?: number | undefined
}

/** @internal */
export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> }

/** @internal */
export interface TransportOptions {
  /** Without a slash at its end. */
  baseUrl: string
  apiKey: string
  timeoutMs: number
  retry: RetryPolicy
  onWarning: (warning: Warning) => unknown
  fetch: RuntimeFetch
}

/** @internal Fills in what is not given, and refuses what cannot work. */
export function readOptions({
  baseUrl,
  apiKey,
  timeoutMs,
  retry,
  onWarning,
  fetch,
}: PetStoreOptions): TransportOptions {
  return {
    baseUrl: readBaseUrl(baseUrl),
    apiKey: readApiKey(apiKey),
    timeoutMs: positiveNumber('timeoutMs', timeoutMs ?? 10_000),
    retry: readRetryOptions(retry),
    onWarning: optionalFunction('onWarning', onWarning) ?? (({ message }) => console.warn(message)),
    // Looked up with each call: some replace it later, to watch or to test.
    fetch: optionalFunction('fetch', fetch) ?? ((...args) => globalThis.fetch(...args)),
  }
}

/** @internal */
export function readRetryOptions({
  maxAttempts = 4,
  totalTimeoutMs = 60_000,
  baseDelayMs = 250,
  maxDelayMs = 10_000,
}: RetryOptions = {}): RetryPolicy {
  if (maxAttempts !== Infinity && !(Number.isInteger(maxAttempts) && maxAttempts >= 1)) {
    throw new TypeError(`retry.maxAttempts must be an integer above 0, got ${String(maxAttempts)}`)
  }
  return {
    maxAttempts,
    totalTimeoutMs: positiveNumber('retry.totalTimeoutMs', totalTimeoutMs),
    baseDelayMs: positiveNumber('retry.baseDelayMs', baseDelayMs),
    maxDelayMs: positiveNumber('retry.maxDelayMs', maxDelayMs),
  }
}

/** @internal Infinity is one. */
export function positiveNumber(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return value
  throw new TypeError(`${name} must be a number above 0, got ${String(value)}`)
}

function optionalFunction<Option>(name: string, value: Option): Option {
  if (value === undefined || typeof value === 'function') return value
  throw new TypeError(`${name} must be a function`)
}

/** The address is not part of the message: it may hold a password. */
function readBaseUrl(baseUrl: PetStoreOptions['baseUrl']): string {
  const url = parseUrl(typeof baseUrl === 'string' ? baseUrl : baseUrl.href)
  const isPlain = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http or https address without user, password, query and fragment')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Relative to the page, if there is one. (`URL.parse` is missing in Node 22.0.) */
function parseUrl(text: string): URL | undefined {
  const { location } = globalThis as { location?: { href: string } }
  try {
    return new URL(text, location?.href)
  } catch {
    return undefined
  }
}

/** The key is not part of the message: it may be right but for a line break. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey must be printable ASCII characters without spaces')
}
