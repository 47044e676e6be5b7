import { randomText } from '../../../inventory/random-text.ts'

// A history begins in a transaction that holds the write lock, before it assigns an id.

export function newHistoryId(): string {
  return randomText(8)
}

/** How long positions of an ended history stay valid at least: a year. */
const retentionMs = 365 * 86_400_000

/** `now` is in milliseconds; `counters` is a source of one row with the highest `pets`, `orders` and `events`. */
export interface BeginHistorySql {
  id: string
  now: string
  counters: string
  /** Further columns and their values. */
  more?: Record<string, string>
  where?: string
}

export function beginHistorySql({ id, now, counters, more = {}, where = 'true' }: BeginHistorySql): string {
  const columns = {
    number: '(SELECT coalesce(max(number), 0) + 1 FROM histories)',
    id,
    began_at: now,
    pets_before: 'pets',
    orders_before: 'orders',
    events_before: 'events',
    ...more,
  }
  return `
    INSERT INTO histories (${Object.keys(columns).join(', ')})
      SELECT ${Object.values(columns).join(', ')} FROM ${counters} AS counted WHERE ${where}`
}

/** Deletes histories that ended long ago and have no event left, oldest first, because their numbers have no gaps. */
export function forgetHistoriesSql(now: string): string {
  return `
    DELETE FROM histories WHERE number < (
      SELECT max(number) FROM histories WHERE began_at < ${now} - ${retentionMs}
        AND NOT EXISTS (SELECT 1 FROM events WHERE id <= events_before))`
}
