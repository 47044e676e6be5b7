import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type AddedKind, columnsOf, type Kind, type Row } from '../../../inventory/snapshot.ts'
import { isResource } from '../../../inventory/tables.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'

/** Rows per statement: a call for each row would cost more than the row. */
export const rowsPerInsert = 100

/** Adds rows as they are, without rules, counts and words. Derived columns are made. */
export function rowInserts(db: DatabaseSync) {
  const inserts = new Map<string, StatementSync>()

  function insertOf(kind: AddedKind | 'properties', count: number): StatementSync {
    const name = `${kind} ${count}`
    const insert = inserts.get(name) ?? prepareInsert(db, kind, count)
    inserts.set(name, insert)
    return insert
  }

  function addRows(kind: AddedKind, given: readonly Row[]): void {
    const rows = isResource(kind) ? given.map(resourceRows[kind].withDerived) : given
    const whole = rows.length - (rows.length % rowsPerInsert)
    for (let at = 0; at < whole; at += rowsPerInsert) {
      insertOf(kind, rowsPerInsert).run(...rows.slice(at, at + rowsPerInsert).flat())
    }
    for (const row of rows.slice(whole)) insertOf(kind, 1).run(...row)
  }

  return { insertOf, addRows }
}

function prepareInsert(db: DatabaseSync, kind: Kind, count: number): StatementSync {
  const columns = isResource(kind) ? resourceRows[kind].storedColumns : columnsOf[kind].join(', ')
  const row = `(${columns.replace(/\w+/g, '?')})`
  const rows = Array.from({ length: count }, () => row)
  return db.prepare(`INSERT INTO ${kind} (${columns}) VALUES ${rows.join(', ')}`)
}
