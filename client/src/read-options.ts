import type { Warning } from './deprecation.ts'
import type { PetStoreOptions, RetryOptions } from './options.ts'
import { runtimeTimeoutMs, withoutRuntimeTimeout } from './long-request.ts'
import type { Hooks } from './hooks.ts'
import type { FetchedResponse, FetchInit } from './runtime-types.ts'
import { pageAddress } from './web-page.ts'

export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> }

export interface TransportOptions extends Hooks {
  /** Without a trailing slash. */
  baseUrl: string
  apiKey: () => Promise<string>
  defaultHeaders?: Record<string, string> | undefined
  timeoutMs: number
  retry: RetryPolicy
  strict?: boolean | undefined
  onWarning: (warning: Warning) => unknown
  /** `timeoutMs` is that of the attempt. */
  fetch: (url: string, init: FetchInit, timeoutMs: number) => Promise<FetchedResponse>
}

const defaultRetry: RetryPolicy = { maxAttempts: 4, totalTimeoutMs: 60_000, baseDelayMs: 250, maxDelayMs: 10_000 }

/** Fills in defaults and refuses invalid options. */
export function readOptions(options: PetStoreOptions): TransportOptions {
  const { apiKey, fetch, retry, timeoutMs = 10_000 } = options
  if (typeof apiKey !== 'function') readApiKey(apiKey)
  for (const name of ['fetch', 'onWarning', 'onRequest', 'onResponse', 'onRetry'] as const) {
    if (typeof (options[name] ?? readOptions) !== 'function') throw new TypeError(`${name} must be a function`)
  }
  return {
    ...options,
    baseUrl: readBaseUrl(options.baseUrl),
    apiKey: async () => readApiKey(typeof apiKey === 'function' ? await apiKey() : apiKey),
    timeoutMs: positiveNumber('timeoutMs', timeoutMs),
    retry: readRetryOptions(retry, timeoutMs),
    onWarning: options.onWarning ?? (({ message }) => console.warn(message)),
    fetch:
      fetch ??
      // Looked up at each call, because some programs replace it later.
      ((url, init, ms) =>
        globalThis.fetch(url, ms > runtimeTimeoutMs ? { ...init, ...withoutRuntimeTimeout() } : init)),
  }
}

/** A longer `timeoutMs` extends a total that nobody has asked for. */
export function readRetryOptions(options: RetryOptions = {}, timeoutMs = 0, defaults = defaultRetry): RetryPolicy {
  const policy = { ...defaults, totalTimeoutMs: Math.max(timeoutMs, defaults.totalTimeoutMs) }
  for (const name of Object.keys(policy) as (keyof RetryPolicy)[]) {
    policy[name] = positiveNumber(`retry.${name}`, options[name] ?? policy[name])
  }
  if (policy.maxAttempts % 1 > 0) throw new TypeError('retry.maxAttempts must be an integer')
  return policy
}

/** Infinity is accepted. */
export function positiveNumber(name: string, value: number): number {
  if (typeof value === 'number' && value > 0) return value
  throw new TypeError(`${name} must be a number above 0, got ${String(value)}`)
}

/** The message omits the address: it may contain a password. */
function readBaseUrl(baseUrl: PetStoreOptions['baseUrl']): string {
  const text = typeof baseUrl === 'object' ? baseUrl?.href : baseUrl
  // A relative one is resolved on a web page.
  const page = pageAddress()
  const url = typeof text === 'string' && URL.canParse(text, page) ? new URL(text, page) : undefined
  if (!url || url.username + url.password + url.search + url.hash !== '' || !/^https?:/.test(url.href)) {
    throw new TypeError('baseUrl must be an http or https address without user, password, query and fragment')
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** The message omits the key: it may be valid except for a line break. */
function readApiKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw new TypeError('apiKey must be printable ASCII characters without spaces')
}
