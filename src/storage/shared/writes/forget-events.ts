/** Events deleted per transaction: few enough that other writes do not wait long. */
const maxDeletedEvents = 5_000

export interface Forgetting {
  before: number
  now?: number | undefined
}

/**
 * Deletes the oldest events, on every engine. The parameters are `before` and `now`. Goes by id, not by time: clocks
 * may be wrong, and the stored events must have no gaps. Events later than `now` are skipped to find the first with a
 * plausible time; they are deleted only if an old one follows them.
 */
export function forgetEventsSql(before: string, now: string): string {
  return `
    WITH first AS (SELECT id FROM events WHERE at <= ${now} ORDER BY id LIMIT 1),
      next AS (
        SELECT events.id, events.at FROM first
          JOIN events ON events.id >= first.id AND events.id < first.id + ${maxDeletedEvents}),
      kept AS (SELECT min(id) AS id FROM next WHERE at >= ${before} AND at <= ${now})
    DELETE FROM events WHERE id < (SELECT min(id) + ${maxDeletedEvents} FROM events) AND id <= (
      SELECT max(next.id) FROM next, kept WHERE next.at < ${before} AND (kept.id IS NULL OR next.id < kept.id))`
}

/** The values of the two parameters. */
export function forgetEventsValues({ before, now = Number.MAX_SAFE_INTEGER }: Forgetting): [number, number] {
  return [before, now]
}
