import { type Exchange, headerOf } from './exchange.ts'

/** Without a time, or with one that cannot be read. */
const defaultS = 1
const minS = 0.1
const maxRequestWaitMs = 60_000
/** For all requests of a run. */
const maxRunWaitMs = 300_000

/** A shop that limits requests, or asks to come back, is asked again: the contract does not speak of limits. */
export class RetryWaits {
  #totalMs = 0
  #untilMs = 0

  /** Whether a request that has waited before may wait once more. Requests that wait at the same time count once. */
  take(waitMs: number, waitedMs: number, now: number): boolean {
    const untilMs = now + waitMs
    const moreMs = Math.max(0, untilMs - Math.max(now, this.#untilMs))
    if (waitedMs + waitMs > maxRequestWaitMs || this.#totalMs + moreMs > maxRunWaitMs) return false
    this.#totalMs += moreMs
    this.#untilMs = Math.max(this.#untilMs, untilMs)
    return true
  }
}

/** After how many seconds the shop wants to be asked again; undefined if it does not. `now` is in milliseconds. */
export function retryAfterS({ response }: Exchange, now: number): number | undefined {
  const value = response && headerOf(response, 'retry-after')
  if (response?.status !== 429 && !(response?.status === 503 && value !== undefined)) return undefined
  // A date is one of the shop's clock, which `Date` tells.
  const date = Date.parse(headerOf(response, 'date') ?? '')
  return Math.max(secondsOf(value ?? '', Number.isNaN(date) ? now : date), minS)
}

/** Retry-After is a number of seconds, or a date. */
function secondsOf(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? defaultS : (date - now) / 1000
}
