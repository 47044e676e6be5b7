import { int64Max } from '../../../contract/int64.ts'

/** Events deleted per transaction: few enough that other writes do not wait long. */
const maxDeletedEvents = 5_000

export interface Forgetting {
  before: number
  now?: number | undefined
  upTo?: bigint | undefined
}

/**
 * Deletes the oldest events, on every engine. The parameters are `before`, `now` and `upTo`. Goes by id, not by time: clocks
 * may be wrong, and the stored events must have no gaps. Events later than `now` are skipped to find the first with a
 * plausible time; they are deleted only if an old one follows them.
 */
export function forgetEventsSql(before: string, now: string, upTo: string): string {
  return `
    WITH first AS (SELECT id FROM events WHERE at <= ${now} ORDER BY id LIMIT 1),
      next AS (
        SELECT events.id, events.at FROM first
          JOIN events ON events.id >= first.id AND events.id < first.id + ${maxDeletedEvents}),
      oldest_left AS (SELECT min(id) AS id FROM next WHERE at >= ${before} AND at <= ${now})
    DELETE FROM events WHERE id <= ${upTo} AND id < (SELECT min(id) + ${maxDeletedEvents} FROM events) AND id <= (
      SELECT max(next.id) FROM next, oldest_left
        WHERE next.at < ${before} AND (oldest_left.id IS NULL OR next.id < oldest_left.id))`
}

/** The values of the parameters. */
export function forgetEventsValues(forgetting: Forgetting): [number, number, bigint] {
  const { before, now = Number.MAX_SAFE_INTEGER, upTo = int64Max } = forgetting
  return [before, now, upTo]
}
