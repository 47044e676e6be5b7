import type { DatabaseSync } from 'node:sqlite'
import type { SchemaObject } from '../../shared/checked-database.ts'
import { openForWriting, prepareRows } from '../connection/database.ts'
import { migrate } from './migrate.ts'

/** The schema that the migrations make, in a database of its own. */
export function expectedSchema(): SchemaObject[] {
  const db = openForWriting(':memory:')
  try {
    migrate(db, ':memory:')
    return schemaObjects(db)
  } finally {
    db.close()
  }
}

type Stored = [type: 'table' | 'index' | 'trigger' | 'view', table: string, name: string, sql: string | null]
type Column = [table: string, name: string, type: string, required: bigint, value: string | null, hidden: bigint]

// ANALYZE adds tables whose names begin with sqlite_stat.
const stored = "SELECT type, tbl_name, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY rowid"
// The columns of a virtual table come from its module, which fails if its tables are damaged.
const columns = `
  SELECT tables.name, columns.name, columns.type, columns."notnull", columns.dflt_value, columns.hidden
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.sql NOT LIKE 'CREATE VIRTUAL TABLE%' AND tables.name NOT LIKE 'sqlite_stat%'
    ORDER BY tables.rowid, columns.cid`

export function schemaObjects(db: DatabaseSync): SchemaObject[] {
  return [
    ...prepareRows<Stored>(db, stored)
      .all()
      .map(([type, table, name, sql]) => ({
        kind: type === 'index' && isUnique(sql) ? ('unique index' as const) : type,
        table,
        name,
        definition: sql === null ? 'made by SQLite for a constraint of the table' : normalize(sql),
      })),
    ...prepareRows<Column>(db, columns)
      .all()
      .map(
        ([table, name, type, required, value, hidden]): SchemaObject => ({
          kind: 'column',
          table,
          name,
          definition:
            `${type}${required === 1n ? ' NOT NULL' : ''}${value === null ? '' : ` DEFAULT ${value}`}` +
            (hidden === 0n ? '' : ' generated'),
        }),
      ),
  ]
}

function isUnique(sql: string | null): boolean {
  return sql === null || /^CREATE UNIQUE/i.test(sql)
}

/** The same for statements that differ in comments, spaces and quotes of names only. */
function normalize(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
}
