import type { Warning } from './deprecation.ts'
import type { PetStoreOptions, RetryOptions } from './options.ts'
import type { RuntimeFetch } from './runtime-types.ts'
import { pageAddress } from './web-page.ts'

export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> }

export interface TransportOptions {
  /** Without a trailing slash. */
  baseUrl: string
  apiKey: string
  timeoutMs: number
  retry: RetryPolicy
  strict: boolean
  onWarning: (warning: Warning) => unknown
  fetch: RuntimeFetch
}

/** Fills in defaults and refuses invalid options. */
export function readOptions({
  baseUrl,
  apiKey,
  timeoutMs,
  retry,
  strict = false,
  onWarning,
  fetch,
}: PetStoreOptions): TransportOptions {
  return {
    baseUrl: readBaseUrl(baseUrl),
    apiKey: readApiKey(apiKey),
    timeoutMs: positiveNumber('timeoutMs', timeoutMs ?? 10_000),
    retry: readRetryOptions(retry),
    strict,
    onWarning: optionalFunction('onWarning', onWarning) ?? (({ message }) => console.warn(message)),
    // Looked up at each call, because some programs replace it later.
    fetch: optionalFunction('fetch', fetch) ?? ((...args) => globalThis.fetch(...args)),
  }
}

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

/** Infinity is accepted. */
export function positiveNumber(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return value
  throw new TypeError(`${name} must be a number above 0, got ${String(value)}`)
}

function optionalFunction<Option>(name: string, value: Option): Option {
  if (value === undefined || typeof value === 'function') return value
  throw new TypeError(`${name} must be a function`)
}

/** The message omits the address: it may contain a password. */
function readBaseUrl(baseUrl: PetStoreOptions['baseUrl']): string {
  const url = parseUrl(typeof baseUrl === 'string' ? baseUrl : baseUrl.href)
  const isPlain = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http or https address without user, password, query and fragment')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Resolves a relative URL on a web page. (`URL.parse` is missing in Node 22.0.) */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text, pageAddress())
  } catch {
    return undefined
  }
}

/** The message omits the key: it may be valid except for a line break. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey must be printable ASCII characters without spaces')
}
