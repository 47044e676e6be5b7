import { randomText } from '../../../inventory/random-text.ts'

// A lineage begins in a transaction that holds the write lock, before it assigns an id.

export function newLineageId(): string {
  return randomText(8)
}

/** How long positions of an ended lineage stay valid at least: a year. */
const retentionMs = 365 * 86_400_000

/** `now` is in milliseconds; `lastEvent` is SQL for the highest event id. */
export interface BeginLineageSql {
  id: string
  now: string
  lastEvent: string
  /** Further columns and their values. */
  more?: Record<string, string>
  where?: string
}

export function beginLineageSql({ id, now, lastEvent, more = {}, where = 'true' }: BeginLineageSql): string {
  const columns = {
    number: '(SELECT coalesce(max(number), 0) + 1 FROM lineages)',
    id,
    began_at: now,
    events_before: lastEvent,
    ...more,
  }
  return `
    INSERT INTO lineages (${Object.keys(columns).join(', ')})
      SELECT ${Object.values(columns).join(', ')} WHERE ${where}`
}

/** Deletes lineages that ended long ago and have no event left, oldest first, because their numbers have no gaps. */
export function deleteOldLineagesSql(now: string): string {
  return `
    DELETE FROM lineages WHERE number < (
      SELECT max(number) FROM lineages WHERE began_at < ${now} - ${retentionMs}
        AND NOT EXISTS (SELECT 1 FROM events WHERE id <= events_before))`
}
