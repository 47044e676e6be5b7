import type { DatabaseSync } from 'node:sqlite'
import { prepareOneRow } from '../connection/database.ts'
import type { Health } from '../connection/health.ts'
import type { SharedSnapshot } from './shared-snapshot.ts'

/**
 * Changes with every commit of another connection that is no bookkeeping. This one never writes, so it changes with
 * every such commit. The reads of this tick of the event loop then see this version.
 */
export function fileVersion(
  reader: DatabaseSync,
  snapshot: Pick<SharedSnapshot, 'begin'>,
  health: Health,
): () => number {
  const version = withoutBookkeeping(reader, 'PRAGMA data_version')
  return () => {
    try {
      snapshot.begin()
      return health.damage === undefined ? version() : Number.NaN
    } catch {
      return Number.NaN // Unknown. The next read reports why.
    }
  }
}

/** For the only connection of a database in memory: it counts its own changes. */
export function changesVersion(db: DatabaseSync): () => number {
  return withoutBookkeeping(db, 'SELECT total_changes()')
}

/**
 * Counts the commits, except for those that only the bookkeeping explains. `commitsSql` reads a number, cheap and often,
 * that changes with every commit. Only then are their numbers read. If neither has changed, another program has written.
 */
function withoutBookkeeping(db: DatabaseSync, commitsSql: string): () => number {
  const readCommits = prepareOneRow<[bigint]>(db, commitsSql)
  const readRevisions = prepareOneRow<[changes: bigint, bookkeeping: bigint]>(
    db,
    'SELECT changes, bookkeeping FROM pet_totals',
  )
  let commits: bigint | undefined
  let changes: bigint | undefined
  let bookkeeping: bigint | undefined
  let version = 0
  return () => {
    const [newCommits] = readCommits.get()
    if (newCommits === commits) return version
    const [newChanges, newBookkeeping] = readRevisions.get()
    if (newChanges !== changes || newBookkeeping === bookkeeping) version++
    commits = newCommits
    changes = newChanges
    bookkeeping = newBookkeeping
    return version
  }
}
