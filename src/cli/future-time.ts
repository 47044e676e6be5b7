import { readDuration } from './shared/setting.ts'
import { Failure } from './shared/failure.ts'

// Years have four digits.
const latest = Date.parse('9999-12-31T23:59:59Z')

/** A time after now: a duration such as 90d, 12h or 30m, or a date such as 2027-01-31. With `mayBeNow`, 0s is one too. */
export function readFutureTime(option: string, text: string, now: number, { mayBeNow = false } = {}): number {
  const duration = readDuration(text)
  const at =
    duration !== undefined ? now + duration : /^\d{4}-\d\d-\d\d(T.+)?$/.test(text) ? readDate(text) : Number.NaN
  if (Number.isNaN(at) || at > latest)
    throw new Failure(`${option} must be a time such as 90d, 12h, 30m or 2027-01-31, got "${text}".`)
  if (at < now || (at === now && !mayBeNow))
    throw new Failure(`${option} must be ${mayBeNow ? 'now or ' : ''}in the future, got "${text}".`)
  return at
}

// Date.parse reads 31 February as 3 March.
function readDate(text: string): number {
  const day = text.slice(0, 10)
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false
  return isReal ? Date.parse(text) : Number.NaN
}
