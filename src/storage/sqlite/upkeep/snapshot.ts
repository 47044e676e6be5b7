import type { DatabaseSync } from 'node:sqlite'
import { columnsOf, type Snapshot, type Kind, type Row } from '../../../inventory/snapshot.ts'
import { counterNames } from '../../../inventory/tables.ts'
import { refuseOtherSchema } from '../../shared/refusals.ts'
import { tableOrder } from '../../shared/rows/table-order.ts'
import { refuseMissing } from '../connection/create-file.ts'
import {
  openForReading,
  pragma,
  prepareConnection,
  prepareOneRow,
  prepareRows,
  readsOf,
  type RowStatement,
} from '../connection/database.ts'
import { latestSchema, refuseForeign, schemaNumber } from '../schema/migrate.ts'
import { refuseUnfinishedCopy } from '../schema/unfinished-copy.ts'

export const { orderOf, isAfter } = tableOrder('rowid', () => '?')

/** Opens a database as the source of a copy, read-only. It must be complete and have this version's schema. */
export function openSource(path: string): Snapshot {
  refuseMissing(path, ' to copy')
  return openSnapshot(path, (db) => {
    refuseForeign(db, path)
    refuseOtherSchema(path, schemaNumber(db), latestSchema())
    refuseUnfinishedCopy(db, path)
  })
}

/** `approve` may refuse the database by throwing. */
export function openSnapshot(path: string, approve: (db: DatabaseSync) => void = () => undefined): Snapshot {
  return snapshotOf(beginSnapshot(openForReading(path), path, approve))
}

/** All reads of the connection see one state from now on. */
export function beginSnapshot(db: DatabaseSync, path: string, approve: (db: DatabaseSync) => void): DatabaseSync {
  return prepareConnection(db, path, () => {
    db.exec('BEGIN')
    pragma(db, 'schema_version') // The first read: it fixes the snapshot.
    approve(db)
  })
}

/** `db` is in a transaction, or nobody writes to it. */
export function snapshotOf(db: DatabaseSync): Snapshot {
  const read = readsOf(db)
  const statements = new Map<string, RowStatement<Row>>()

  function prepared(sql: string): RowStatement<Row> {
    const statement = statements.get(sql) ?? prepareRows<Row>(db, sql)
    statements.set(sql, statement)
    return statement
  }

  return {
    count: (kind) => read(() => Number(prepareOneRow<[bigint]>(db, `SELECT count(*) FROM ${tableOf(kind)}`).get()[0])),

    rows: (kind, limit, after = []) =>
      read(() => {
        const following = after.length === 0 ? '' : `WHERE ${isAfter(kind)}`
        const page = prepared(
          `SELECT ${columnsOf[kind].join(', ')} FROM ${tableOf(kind)} ${following} ORDER BY ${orderOf(kind)} LIMIT ?`,
        )
        return page.all(...after, limit)
      }),

    async close() {
      db.close()
    },
  }
}

// AUTOINCREMENT stores the highest assigned id.
export const counters = `(
  SELECT value AS name, ifnull((SELECT seq FROM sqlite_sequence WHERE name = value), 0) AS last
    FROM json_each('${JSON.stringify(counterNames)}'))`

function tableOf(kind: Kind): string {
  return kind === 'counters' ? counters : kind
}
