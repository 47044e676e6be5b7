import type { DatabaseSync } from 'node:sqlite'
import { beginHistorySql, forgetHistoriesSql, newHistoryId } from '../../shared/writes/begin-history.ts'
import { counted } from '../schema/lineage.ts'

const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** Begins a history, inside a transaction. */
export function beginHistory(db: DatabaseSync): void {
  db.prepare(beginHistorySql({ id: '?', now, counters: counted })).run(newHistoryId())
  db.exec(forgetHistoriesSql(now))
}
