import { DatabaseError } from 'pg'
import { counter } from './counters.ts'
import type { Result, Session, Statement } from './database.ts'
import { ConnectionLost, RolledBack, spoilsConnection } from './errors.ts'
import type { BoundStatement, NextStatements } from './pipeline.ts'

/**
 * READ COMMITTED, whatever the database's default: a statement that comes after the lock has to see what was committed
 * while it waited.
 */
export const begin: Statement = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE' }
/**
 * Local, so that they hold behind a pooler too. There is no limit on the statements: it would cancel a COMMIT that waits
 * for a replica, and what was committed here would be lost with this server.
 */
export const limits: Statement = {
  name: 'limits',
  text: `SELECT set_config('lock_timeout', '900', true), set_config('idle_in_transaction_session_timeout', '5000', true)`,
}
/** One transaction at a time, of all instances: ids are given in the order of the commits, and nobody meets a deadlock. */
export const lockCounters: Statement = {
  name: 'take_turn',
  text: `${counter('pets')} FOR UPDATE`,
}
export const commit: Statement = { name: 'commit', text: 'COMMIT' }
export const rollback: Statement = { text: 'ROLLBACK' }

/**
 * Runs statements in a transaction of their own, which has the turn, and then those that `next` makes of their results: one
 * round trip, or two. What they did is on disk, and on the replicas that the server waits for, when this resolves to the
 * results of all. Rejects with a RolledBack when nothing of it is, and with a ConnectionLost when nobody knows.
 */
export async function runInTurn(
  session: Session,
  statements: readonly BoundStatement[],
  next?: NextStatements,
): Promise<Result[]> {
  const { warnings } = session
  const opening: BoundStatement[] = [[begin], [limits], [lockCounters], ...statements]
  const closing = next && ((results: readonly Result[]) => [...next(results.slice(3)), [commit] as const])
  try {
    const results = await session.runAll(closing === undefined ? [...opening, [commit]] : opening, closing)
    // A server that is told to stop, or to wait no longer, says so and commits: the replicas may not have it.
    if (session.warnings > warnings) throw new ConnectionLost('The server sent a warning during the commit.')
    return results.slice(3, -1)
  } catch (error) {
    if (!(error instanceof DatabaseError) || !(await undo(session))) throw error
    if (spoilsConnection(error)) session.drop('The connection is unusable.')
    throw new RolledBack(error)
  }
}

/**
 * Ends a transaction that failed, and says whether the session is still there to confirm it. One that ends with the failure
 * may have ended after the commit.
 */
async function undo(session: Session): Promise<boolean> {
  try {
    await session.run(rollback)
    return true
  } catch {
    session.drop('The transaction cannot be ended.')
    return false
  }
}
