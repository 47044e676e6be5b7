import type { DatabaseSync } from 'node:sqlite'
import { beginHistorySql, forgetHistoriesSql, newHistoryId } from '../shared/begin-history.ts'
import { type LineageRow, lineageSql, openLineage, type PageRead, type Verdict } from '../shared/lineage.ts'
import { petTable } from './counts.ts'
import { prepareRows } from './database.ts'

/** AUTOINCREMENT stores the highest assigned id. */
const counters = `(SELECT ${Object.entries({ pets: petTable, orders: 'orders', events: 'events' })
  .map(([kind, table]) => `ifnull((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0) AS ${kind}`)
  .join(', ')})`
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** Judges the position of a page that was just read on this connection. */
export type JudgePage = (read: PageRead) => Verdict

export function sqliteLineage(reader: DatabaseSync): JudgePage {
  const lineage = openLineage()
  const ask = prepareRows(reader, lineageSql(counters, '?'))
  return (read) =>
    lineage.recall(read) ?? lineage.learn(read, ask.get(read.after.history ?? null) as unknown as LineageRow)
}

/** Begins a history, inside a transaction. */
export function beginHistory(db: DatabaseSync): void {
  db.prepare(beginHistorySql({ id: '?', now, counters })).run(newHistoryId())
  db.exec(forgetHistoriesSql(now))
}
