const form = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** The last time that RFC 3339 can write: a year has four digits. */
export const lastTimeMs = Date.parse('9999-12-31T23:59:59.999Z')

/** The time `durationMs` after another, or the last one. */
export function timeAfter(ms: number, durationMs: number): number {
  return Math.min(ms + durationMs, lastTimeMs)
}

/** Whether a text is a time in RFC 3339, of a day that exists and, in UTC, of a year with four digits. */
export function isTime(text: string): boolean {
  const day = form.exec(text)?.[1]
  // Date.parse reads 31 February as 3 March.
  if (day === undefined || !jsonOf(`${day}T00:00:00Z`).startsWith(day)) return false
  return /^\d/.test(jsonOf(text))
}

/** Whether a text is a day that exists, such as 2027-01-31. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTime(`${text}T00:00:00Z`)
}

/** In milliseconds since 1970, rounded up: a time of our own is before it if it is before the exact one. */
export function timeInMs(text: string): number {
  return Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0)
}

/** Empty for a text that is not a time. A year that has not four digits begins with its sign. */
function jsonOf(text: string): string {
  return new Date(text).toJSON() ?? ''
}
