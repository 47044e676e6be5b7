import type { CallError } from './errors.ts'
import type { RetryPolicy } from './read-options.ts'

/** The delay of `Retry-After` plus a random part of a delay that doubles with each retry ("full jitter"). */
export function retryDelayMs(
  retry: number,
  error: CallError | undefined,
  { baseDelayMs, maxDelayMs }: Pick<RetryPolicy, 'baseDelayMs' | 'maxDelayMs'>,
  random: () => number = Math.random,
): number {
  return (error?.retryAfterSeconds ?? 0) * 1000 + random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

/** The seconds in a `Retry-After` header, given as a number or as a date. */
export function readRetryAfter(header: string | null | undefined, now: number = Date.now()): number | undefined {
  if (!header) return undefined
  if (/^[0-9]+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}
