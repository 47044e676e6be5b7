import { DatabaseError } from 'pg'
import { begin, transactionSettings } from '../connection/begin.ts'
import { counter } from '../schema/counters.ts'
import type { Result, Session, Statement } from '../connection/database.ts'
import { ConnectionLost, RolledBack, spoilsConnection } from '../connection/errors.ts'
import type { BoundStatement, NextStatements } from '../connection/pipeline.ts'

/**
 * Local, so that they work behind a pooler. There is no statement timeout: it would cancel a COMMIT that waits for a
 * replica, and the commit would be lost with this server.
 */
export const limits: Statement = {
  name: 'limits',
  text: `SELECT ${transactionSettings}, set_config('lock_timeout', '900', true),
    set_config('idle_in_transaction_session_timeout', '5000', true)`,
}
/** One writing transaction at a time in all instances: ids are in commit order, and there are no deadlocks. */
export const lockCounters: Statement = {
  name: 'lock_counters',
  text: `${counter('pets')} FOR UPDATE`,
}
export const commit: Statement = { name: 'commit', text: 'COMMIT' }
export const rollback: Statement = { text: 'ROLLBACK' }

/**
 * Runs statements in a transaction that has locked the counters, and then those that `next` makes from their results: one round
 * trip, or two. When it resolves to all results, the changes are on disk and on the replicas that the server waits for.
 * Rejects with a RolledBack if nothing is stored, also if `next` throws, and with a ConnectionLost if the outcome is
 * unknown.
 */
export async function runLocked(
  session: Session,
  statements: readonly BoundStatement[],
  next?: NextStatements,
): Promise<Result[]> {
  const { warnings } = session
  const opening: BoundStatement[] = [[begin], [limits], [lockCounters], ...statements]
  let failure: unknown
  // An error thrown here would be thrown in the driver and end the process.
  function closing(results: readonly Result[]): BoundStatement[] {
    try {
      return [...(next?.(results.slice(3)) ?? []), [commit]]
    } catch (error) {
      failure = error
      return [[rollback]]
    }
  }

  try {
    const results = await (next === undefined
      ? session.runAll([...opening, [commit]])
      : session.runAll(opening, closing))
    if (failure !== undefined) throw new RolledBack(failure)
    // A server that stops, or stops waiting for replicas, commits with a warning: the replicas may lack the commit.
    if (session.warnings > warnings) throw new ConnectionLost('The server sent a warning during the commit.')
    return results.slice(3, -1)
  } catch (error) {
    if (!(error instanceof DatabaseError) || !(await undo(session))) throw error
    if (spoilsConnection(error)) session.drop('The connection is unusable.')
    throw new RolledBack(error)
  }
}

/**
 * Rolls back a failed transaction. Returns whether the session confirmed it; a session that ended may have ended after
 * the commit.
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
