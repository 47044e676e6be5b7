/** How many events are deleted in one transaction: few enough that no other write waits long for it to end. */
const forgottenAtOnce = 5_000

export interface Forgetting {
  before: number
  now?: number | undefined
}

/**
 * Deletes the oldest events, on every engine; the parameters are `before` and `now`. In the order of ids, not of times: a
 * clock may be wrong in either direction, and what is kept must have no gaps. Events later than `now` are passed over to
 * find the first that tells the time; they are deleted only if an old one follows them.
 */
export function forgetEventsSql(before: string, now: string): string {
  return `
    WITH first AS (SELECT id FROM events WHERE at <= ${now} ORDER BY id LIMIT 1),
      next AS (
        SELECT events.id, events.at FROM first
          JOIN events ON events.id >= first.id AND events.id < first.id + ${forgottenAtOnce}),
      kept AS (SELECT min(id) AS id FROM next WHERE at >= ${before} AND at <= ${now})
    DELETE FROM events WHERE id < (SELECT min(id) + ${forgottenAtOnce} FROM events) AND id <= (
      SELECT max(next.id) FROM next, kept WHERE next.at < ${before} AND (kept.id IS NULL OR next.id < kept.id))`
}

/** The values of the two parameters. */
export function forgetEventsValues({ before, now = Number.MAX_SAFE_INTEGER }: Forgetting): [number, number] {
  return [before, now]
}
