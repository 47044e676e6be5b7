import type { DatabaseSync } from 'node:sqlite'
import type { Health } from '../connection/health.ts'
import type { SharedSnapshot } from './shared-snapshot.ts'

/**
 * Changes with every commit of another connection. This one never writes, so it changes with every commit. The reads of
 * this tick of the event loop then see this version.
 */
export function fileVersion(reader: DatabaseSync, snapshot: SharedSnapshot, health: Health): () => number {
  const dataVersion = numberOf(reader, 'PRAGMA data_version')
  return () => {
    try {
      snapshot.begin()
      return health.damage === undefined ? dataVersion() : Number.NaN
    } catch {
      return Number.NaN // Unknown. The next read reports why.
    }
  }
}

/** For the only connection of a database in memory: it counts its own changes. */
export function changesVersion(db: DatabaseSync): () => number {
  return numberOf(db, 'SELECT total_changes()')
}

/** Reads one small number, often. */
function numberOf(db: DatabaseSync, sql: string): () => number {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return () => (statement.get() as unknown as [number])[0]
}
