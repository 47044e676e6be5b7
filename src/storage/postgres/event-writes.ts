import { oneByOne } from './batch.ts'

/** How many events are let go of in one transaction: few enough that nobody waits long for it to end. */
const forgottenAtOnce = 5_000

/** What the writer does to events themselves. Each runs inside a transaction of the writer's. */
export const eventWrites = {
  // By id up to the first that is not old enough, not by time: a clock may go back, and what is kept must have no gaps.
  forgetEvents: oneByOne<number, number>(
    {
      name: 'forget_events',
      text: `
        DELETE FROM events WHERE id < (
          SELECT min(id) FROM (
            SELECT id FROM (SELECT id, at FROM events ORDER BY id LIMIT ${forgottenAtOnce}) AS oldest WHERE at >= $1
            UNION ALL SELECT min(id) + ${forgottenAtOnce} FROM events) AS bounds)`,
    },
    (before) => [before],
    ({ rowCount }) => rowCount ?? 0,
  ),
}
