const number = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

export function formatCount(count) {
  return number.format(count)
}

/** A share of a whole. What is there at all is never 0 %. */
export function formatShare(part, whole) {
  const share = whole === 0 ? 0 : part / whole
  return part > 0 && share < 0.005 ? '< 1%' : percent.format(share)
}

export function formatMoment(text) {
  const moment = new Date(text)
  const isToday = moment.toDateString() === new Date().toDateString()
  return isToday ? `today, ${timeOnly.format(moment)}` : dateAndTime.format(moment)
}

export function plural(count, one, many) {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** A name for a sentence: one that goes on and on is cut. */
export function shortName(name) {
  const letters = [...name]
  return letters.length > 40 ? `${letters.slice(0, 40).join('')}…` : name
}
