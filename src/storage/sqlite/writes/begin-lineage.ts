import type { DatabaseSync } from 'node:sqlite'
import { beginLineageSql, deleteOldLineagesSql, newLineageId } from '../../shared/writes/begin-lineage.ts'
import { prepareRows } from '../connection/database.ts'
import { lastEvent } from '../schema/lineage.ts'

const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** Begins a lineage, inside a transaction. */
export function beginLineage(db: DatabaseSync): void {
  db.prepare(beginLineageSql({ id: '?', now, lastEvent })).run(newLineageId())
  db.exec(deleteOldLineagesSql(now))
}

/** Gives a lineage its name, of that before it. */
export type NameLineage = (before: string | undefined) => string

/** Begins the lineage of a copy. If its events have none yet, they belong to it, too. */
export function beginLineageOfCopy(db: DatabaseSync, name: NameLineage = newLineageId): void {
  const taken = prepareRows<[string]>(db, 'SELECT id FROM lineages ORDER BY number').all().flat()
  const before = taken.at(-1)
  let id = name(before)
  // A snapshot may have any names.
  while (taken.includes(id)) id = name(id)
  db.prepare(beginLineageSql({ id: '?', now, lastEvent: before === undefined ? '0' : lastEvent })).run(id)
}
