import type { Day } from '../contract/day.ts'
import type { EventType } from '../contract/event.ts'

export const dayMs = 24 * 60 * 60_000

export type DayCount = Exclude<keyof Day, 'date'>

/** What an event counts as. Others are not counted. */
export const countedAs = {
  'pet.created': 'added',
  'pet.deleted': 'removed',
  'order.placed': 'ordered',
  'order.completed': 'completed',
  'order.cancelled': 'cancelled',
} as const satisfies Partial<Record<EventType, DayCount>>

export const dayCounts = Object.values(countedAs) as readonly DayCount[]

/** The number of a day since 1970, in UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** The day of a date such as 2026-01-05. */
export function dayOfDate(date: string): number {
  return dayOf(Date.parse(`${date}T00:00:00Z`))
}

/**
 * What happened on each day. It is counted in the transaction of every change, by the time of its event, and outlives
 * the events.
 */
export interface Days {
  /** Every day from `first` to `last`, by their numbers, also those on which nothing happened. */
  list(first: number, last: number): Promise<Day[]>
}

/** A day and its counts, in the order of `dayCounts`. */
export type DayRow = [day: bigint, ...counts: bigint[]]

/** Fills in the days on which nothing happened. */
export function wholeRange(first: number, last: number, rows: readonly DayRow[]): Day[] {
  const counted = new Map(rows.map(([day, ...counts]) => [Number(day), counts]))
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const counts = counted.get(first + index) ?? []
    const members = dayCounts.map((name, nth) => [name, counts[nth] ?? 0n])
    return { date: dateOf(first + index), ...(Object.fromEntries(members) as Record<DayCount, bigint>) }
  })
}
