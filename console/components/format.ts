import { visibleText } from '../state/visible-text.ts'

const number = new Intl.NumberFormat()
const shortNumber = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function formatCount(count: number): string {
  return number.format(count)
}

/** Rounded from 10,000 on, such as 119K: for places with little room. */
export function formatShortCount(count: number): string {
  return count < 10_000 ? formatCount(count) : shortNumber.format(count)
}

/** A percentage. A non-zero share is never 0 %. */
export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole
  return part > 0 && share < 0.005 ? '< 1%' : percent.format(share)
}

export function formatTime(text: string): string {
  const time = new Date(text)
  const isToday = time.toDateString() === new Date().toDateString()
  return isToday ? `today, ${timeOnly.format(time)}` : dateAndTime.format(time)
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
