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
  /** Whether the service refuses parameters and members that it does not know, which it ignores otherwise. */
  strict?: boolean | undefined
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

export interface ListOptions extends CallOptions {
  /** Whether the service counts the items of all pages, which the first page then tells. */
  count?: boolean | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * Names this attempt: with the same key and the same body again, even from another process, nothing is done twice.
   * A random one unless given.
   */
  idempotencyKey?: string | undefined
}

export interface ChangeOptions<Resource extends object> extends CallOptions {
  /** Only if nobody changed it since: what a method returned, or an ETag. Else `precondition_failed`. */
  ifMatch?: string | WithEtag<Resource> | undefined
}

export interface PutOptions<Resource extends object> extends ChangeOptions<Resource> {
  /** Only if there is none yet. Else `precondition_failed`. */
  ifNoneMatch?: '*' | undefined
}

export interface FollowOptions extends CallOptions {
  /** The position of the last event that is known (`positionOf`); 0 for all that are kept. From now on unless given. */
  after?: Int64 | string | undefined
  /**
   * After this long without a sign of life a connection counts as broken. The service gives one every 10 seconds.
   * 45,000 unless given.
   */
  maxSilenceMs?: number | undefined
  /** Called with true each time the stream is connected, and with false each time the connection ends. */
  onConnection?: ((isConnected: boolean) => void) | undefined
}
