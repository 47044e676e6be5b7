import { Failure } from './failure.ts'

// Times are written with four digits for the year.
const latest = Date.parse('9999-12-31T23:59:59Z')

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A moment that is not past: a while from now such as 90d, 12h or 30m, or a date such as 2027-01-31. */
export function readMoment(option: string, text: string, now: number): number {
  const [, amount, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? []
  const at =
    unit !== undefined
      ? now + Number(amount) * (units[unit] as number)
      : /^\d{4}-\d\d-\d\d(T.+)?$/.test(text)
        ? readDate(text)
        : Number.NaN
  if (Number.isNaN(at) || at > latest)
    throw new Failure(`${option} must be a time such as 90d, 12h, 30m or 2027-01-31, got "${text}".`)
  if (at < now) throw new Failure(`${option} must not be in the past, got "${text}".`)
  return at
}

// Date.parse takes 31 February for 3 March.
function readDate(text: string): number {
  const day = text.slice(0, 10)
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false
  return isReal ? Date.parse(text) : Number.NaN
}
