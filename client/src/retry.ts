import { CallError, ConnectionError, PetStoreError, TimeoutError, UnexpectedResponseError } from './errors.ts'

/** Milliseconds, but for `maxAttempts`. */
export interface RetryOptions {
  /** How often a call is tried at most, the first time included. 1 for no retries. 4 unless given. */
  maxAttempts?: number | undefined
  /** How long a call may take at most, with all its tries and pauses. 60,000 unless given. */
  totalTimeoutMs?: number | undefined
  /** The longest pause before the first retry; it doubles with each further one. 250 unless given. */
  baseDelayMs?: number | undefined
  /** The longest pause, unless the service asks for more. 10,000 unless given. */
  maxDelayMs?: number | undefined
}

export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> }

export function retryPolicy({ maxAttempts, totalTimeoutMs, baseDelayMs, maxDelayMs }: RetryOptions = {}): RetryPolicy {
  return {
    maxAttempts: maxAttempts ?? 4,
    totalTimeoutMs: totalTimeoutMs ?? 60_000,
    baseDelayMs: baseDelayMs ?? 250,
    maxDelayMs: maxDelayMs ?? 10_000,
  }
}

/**
 * What happens when a request is carried out twice, and so when it may be sent again:
 * - `repeatable`: the same as when it is carried out once. After any failure that may pass.
 * - `once`: something else. Only when the service has not carried it out, by its own word or because it was not reached.
 */
export type Repetition = 'repeatable' | 'once'

/** Whether the failure may pass, and another try does no harm. */
export function mayTryAgain(error: CallError, repetition: Repetition): boolean {
  if (error instanceof PetStoreError) return isPassing(error)
  const isLost =
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof UnexpectedResponseError && [502, 503, 504].includes(error.status))
  return isLost && (repetition === 'repeatable' || !error.mayHaveSucceeded)
}

// A conflict that is worth another try is the one with an earlier try of the same Idempotency-Key, which is still in
// flight; the service asks only then to come back.
function isPassing({ code, retryAfterSeconds }: PetStoreError): boolean {
  switch (code) {
    case 'rate_limited':
    case 'unavailable':
    case 'request_timeout':
      return true
    case 'conflict':
      return retryAfterSeconds !== undefined
    default:
      return false
  }
}

/** Milliseconds until the next try: what the service asked for, and a random share of a growing pause ("full jitter"). */
export function pauseBefore(
  retry: number,
  error: CallError | undefined,
  { baseDelayMs, maxDelayMs }: Pick<RetryPolicy, 'baseDelayMs' | 'maxDelayMs'>,
  random: () => number = Math.random,
): number {
  return retryAfterSecondsOf(error) * 1000 + random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

function retryAfterSecondsOf(error: CallError | undefined): number {
  return error instanceof PetStoreError || error instanceof UnexpectedResponseError ? (error.retryAfterSeconds ?? 0) : 0
}

/** The seconds that a `Retry-After` header asks for, which has them as a number or as a date. */
export function readRetryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^[0-9]+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}

/** Resolves after a while, or rejects with the reason of the signal. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', stop)
    function end(): void {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      reject(signal?.reason as Error)
    }
  })
}
