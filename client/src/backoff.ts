import type { CallError } from './errors.ts'
import type { RetryPolicy } from './read-options.ts'
import type { ResponseHeaders } from './runtime-types.ts'

/** The delay of `Retry-After` plus a random part of a delay that doubles with each retry ("full jitter"). */
export function retryDelayMs(
  retry: number,
  error: CallError | undefined,
  { baseDelayMs, maxDelayMs }: Pick<RetryPolicy, 'baseDelayMs' | 'maxDelayMs'>,
  random: () => number = Math.random,
): number {
  return (error?.retryAfterSeconds ?? 0) * 1000 + random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))
}

/** The seconds in `Retry-After`, given as a number or as a date by the clock of the sender, which `Date` tells. */
export function readRetryAfter(headers: Pick<ResponseHeaders, 'get'> | undefined): number | undefined {
  const value = headers?.get('retry-after')
  if (!value) return undefined
  if (/^[0-9]+$/.test(value)) return Number(value)
  const sentAt = Date.parse(headers?.get('date') ?? '') || Date.now()
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - sentAt) / 1000)
}
