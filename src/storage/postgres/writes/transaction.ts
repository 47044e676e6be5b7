import { DatabaseError } from 'pg'
import { begin, durable } from '../connection/begin.ts'
import { counter } from '../schema/counters.ts'
import type { Session } from '../connection/database.ts'
import type { BoundStatement, NextStatements, Result, Statement } from '../connection/statement.ts'
import { ConnectionLost, RolledBack, spoilsConnection } from '../connection/errors.ts'
import { neededSettings, type Settings, setInOneSql } from '../connection/settings.ts'

/** What a kept session does not have: durable commits, and how long a transaction may hold up others. */
const ownSettings: Settings = { ...durable, lock_timeout: '900ms', idle_in_transaction_session_timeout: '5s' }
export const limits: Statement = { name: 'limits', text: setInOneSql(ownSettings, 'transaction') }
/** Behind a pooler. The first needs no plan: to compile the second may take longer than its timeout. */
const allSettings: BoundStatement[] = [
  [{ text: 'SET LOCAL jit = off' }],
  [{ text: setInOneSql({ ...neededSettings, ...ownSettings }, 'transaction') }],
]
/** One writing transaction at a time in all instances: ids are in commit order, and there are no deadlocks. */
export const lockCounters: Statement = {
  name: 'lock_counters',
  text: `${counter('pets')} FOR UPDATE`,
}
export const commit: Statement = { name: 'commit', text: 'COMMIT' }
export const rollback: Statement = { text: 'ROLLBACK' }

/** Runs statements as `runWrites` does, in a transaction that has locked the counters. */
export async function runLocked(
  session: Session,
  statements: readonly BoundStatement[],
  next?: NextStatements,
): Promise<Result[]> {
  const nextOfLocked = next && ((results: readonly Result[]) => next(results.slice(1)))
  return (await runWrites(session, [[lockCounters], ...statements], nextOfLocked)).slice(1)
}

/**
 * Runs statements in a transaction, and then those that `next` makes from their results: one round trip, or two. When
 * it resolves to all results, the changes are on disk and on the replicas that the server waits for. Rejects with a
 * RolledBack if nothing is stored, also if `next` throws, and with a ConnectionLost if the outcome is unknown.
 */
export async function runWrites(
  session: Session,
  statements: readonly BoundStatement[],
  next?: NextStatements,
): Promise<Result[]> {
  const { warnings } = session
  const before: BoundStatement[] = [[begin], ...(session.keepsSession ? [[limits] as const] : allSettings)]
  const opening = [...before, ...statements]
  let failure: unknown
  // An error thrown here would be thrown in the driver and end the process.
  function closing(results: readonly Result[]): BoundStatement[] {
    try {
      return [...(next?.(results.slice(before.length)) ?? []), [commit]]
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
    return results.slice(before.length, -1)
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
