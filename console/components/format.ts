import { serviceNow } from '../api/service-clock.ts'
import { visibleText } from '../state/visible-text.ts'

const number = new Intl.NumberFormat()
const shortNumber = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function formatCount(count: number): string {
  return number.format(count)
}

/** Numbers beside each other, for places with little room: all in full, or all rounded, such as 119K and 7.8K. */
export function shortCountFormat(counts: readonly number[]): (count: number) => string {
  return counts.some((count) => count >= 100_000) ? (count) => shortNumber.format(count) : formatCount
}

/** A percentage. A non-zero share is never 0 %. */
export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole
  return part > 0 && share < 0.005 ? '< 1%' : percent.format(share)
}

export function formatTime(text: string): string {
  const time = new Date(text)
  const isToday = time.toDateString() === new Date(serviceNow()).toDateString()
  return isToday ? `today, ${timeOnly.format(time)}` : dateAndTime.format(time)
}

/** How long something has lasted, in the largest unit: for 3 days. */
export function formatAge(text: string, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(text)) / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return `for ${plural(Math.floor(hours / 24), 'day', 'days')}`
  return hours > 0 ? `for ${plural(hours, 'hour', 'hours')}` : 'for less than an hour'
}

/** For paper, where "today" is soon wrong. */
export function formatFullTime(text: string): string {
  return dateAndTime.format(new Date(text))
}

/** A date in UTC, such as 2026-01-05. */
export function formatDay(date: string | undefined): string {
  return date === undefined ? '' : dayAndMonth.format(new Date(`${date}T00:00:00Z`))
}

export function noun(count: number, one: string, many: string): string {
  return count === 1 ? one : many
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${noun(count, one, many)}`
}

/** A name for a sentence, truncated if it is long. */
export function shortName(name: string): string {
  const letters = Array.from(name)
  return visibleText(letters.length > 40 ? `${letters.slice(0, 40).join('')}…` : name)
}
