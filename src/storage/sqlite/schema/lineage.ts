import type { DatabaseSync } from 'node:sqlite'
import { type LineageRow, lineageSql, openLineage, type PageRead, type Verdict } from '../../shared/reads/lineage.ts'
import { prepareRows } from '../connection/database.ts'

/** A source of one row with the highest assigned ids, which AUTOINCREMENT stores. */
export const counted = `(SELECT ${['pets', 'orders', 'events']
  .map((table) => `ifnull((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0) AS ${table}`)
  .join(', ')})`

/** Judges the position of a page that was just read on this connection. */
export type JudgePage = (read: PageRead) => Verdict

export function sqliteLineage(reader: DatabaseSync): JudgePage {
  const lineage = openLineage()
  const ask = prepareRows(reader, lineageSql(counted, '?'))
  return (read) =>
    lineage.recall(read) ?? lineage.learn(read, ask.get(read.after.history ?? null) as unknown as LineageRow)
}
