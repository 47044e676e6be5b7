import type { DatabaseSync } from 'node:sqlite'
import { beginLineageSql, deleteOldLineagesSql, newLineageId } from '../../shared/writes/begin-lineage.ts'
import { lastEvent } from '../schema/lineage.ts'

const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** Begins a lineage, inside a transaction. */
export function beginLineage(db: DatabaseSync): void {
  db.prepare(beginLineageSql({ id: '?', now, lastEvent })).run(newLineageId())
  db.exec(deleteOldLineagesSql(now))
}
