import { isTime, lastTimeMs } from '../contract/time.ts'
import type { Clock } from '../inventory/clock.ts'
import { PetStoreError } from '../inventory/errors.ts'
import { type ClockChange, maxSpeed } from './clock-operations.ts'

/** What a client sees of the clock of a shop. */
export interface ClockState {
  now: string
  /** How many seconds pass in a second. */
  speed: number
  frozen: boolean
}

/** The time of a shop. Sockets, streams and everything else that is not in the shop have the real one. */
export interface ShopClock {
  readonly now: Clock
  state(): ClockState
  /** Undefined if the shop has the real time. */
  saved(): ClockState | undefined
  /** Throws, and changes nothing, if the time would not be one. */
  change(change: ClockChange): void
  /** Returns to a saved state, or to the real time. */
  restore(state: ClockState | undefined): void
}

const firstMs = 0

export function shopClock(real: Clock = Date.now): ShopClock {
  /** At `realMs` it was `shopMs` in the shop. Undefined for the real time. */
  let set: { realMs: number; shopMs: number; speed: number; frozen: boolean } | undefined

  function now(): number {
    if (set === undefined) return real()
    const passedMs = set.frozen ? 0 : Math.floor((real() - set.realMs) * set.speed)
    return Math.min(set.shopMs + passedMs, lastTimeMs)
  }

  function state(): ClockState {
    const { speed = 1, frozen = false } = set ?? {}
    return { now: new Date(now()).toISOString(), speed, frozen }
  }

  function change({ now: time, advance, ...change }: ClockChange): void {
    if (time !== undefined && advance !== undefined)
      throw invalid('advance must not be given together with now.', 'advance')
    const shopMs = time === undefined ? advanced(now(), advance) : Date.parse(time)
    if (!(shopMs >= firstMs && shopMs <= lastTimeMs)) {
      throw invalid('The time must be from 1970 to 9999.', time === undefined ? 'advance' : 'now')
    }
    const { speed, frozen } = { ...state(), ...change }
    set = { realMs: real(), shopMs, speed, frozen }
  }

  return {
    now,
    state,
    saved: () => (set === undefined ? undefined : state()),
    change,
    restore(saved) {
      set = undefined
      if (saved !== undefined) change(saved)
    },
  }
}

const duration =
  /^(-?)P(?=\d|T\d)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

/** Adds a duration of ISO 8601, such as P1D or -PT1H30M. NaN if the sum is no time. */
function advanced(ms: number, text: string | undefined): number {
  if (text === undefined) return ms
  const parts = duration.exec(text)
  if (parts === null) throw invalid('advance must be a duration such as P1D, PT1H30M or -P1M.', 'advance')
  const sign = parts[1] === '-' ? -1 : 1
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(2)
    .map((part: string | undefined) => sign * Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + 12 * years + months)
  // A month after 31 January is the last day of February.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime() + ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

function invalid(message: string, field: string): PetStoreError {
  return new PetStoreError('invalid_body', message, { fields: [field] })
}

/** Reads a state of a snapshot; undefined if it is none. */
export function readClockState(value: unknown): ClockState | undefined {
  const { now, speed: given, frozen, ...others } = (value ?? {}) as Record<string, unknown>
  if (Object.keys(others).length > 0) return undefined
  const speed = typeof given === 'bigint' ? Number(given) : (given as number)
  if (typeof now !== 'string' || !isTime(now) || Date.parse(now) < firstMs) return undefined
  if (!Number.isSafeInteger(speed) || speed < 1 || speed > maxSpeed) return undefined
  return typeof frozen === 'boolean' ? { now, speed, frozen } : undefined
}
