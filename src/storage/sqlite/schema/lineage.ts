import type { DatabaseSync } from 'node:sqlite'
import {
  type LineageRow,
  lineageSql,
  openLineageCache,
  type PageRead,
  type PositionCheck,
} from '../../shared/reads/lineage.ts'
import { prepareOneRow } from '../connection/database.ts'

/** SQL for the highest assigned event id, which AUTOINCREMENT stores. */
export const lastEvent = "ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)"

/** Checks the position of a page of events that was just read on this connection. */
export type CheckPosition = (read: PageRead) => PositionCheck

export function sqliteLineage(reader: DatabaseSync): CheckPosition {
  const cache = openLineageCache()
  const ask = prepareOneRow<LineageRow>(reader, lineageSql(lastEvent, '?'))
  return (read) => cache.recall(read) ?? cache.learn(read, ask.get(read.after.lineage ?? null))
}
