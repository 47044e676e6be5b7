import type { Row } from '../../inventory/snapshot.ts'

/** The result of the engine's own check of its files. */
export type Integrity = { found: string[] } | { skipped: string }

/** A part of a schema. Its name is unique among those of its kind and table. */
export interface SchemaObject {
  kind: 'table' | 'column' | 'constraint' | 'index' | 'unique index' | 'trigger' | 'view' | 'function'
  /** The table that it belongs to; empty for a function. */
  table: string
  name: string
  /** As the engine describes it, without what may differ between intact databases. */
  definition: string
}

/** Identifies a part of a schema. An index that has lost UNIQUE is another definition, not another index. */
export function idOf({ kind, table, name }: SchemaObject): string {
  return `${kind === 'unique index' ? 'index' : kind} ${table} ${name}`
}

/** A read-only snapshot of a database, to be checked. The SQL works on both engines. */
export interface CheckedDatabase {
  /** Verifies the files and indexes, as far as the engine can. */
  integrity(): Promise<Integrity>

  /** The parts of the schema: those that the migrations make, and those that are there. */
  schema(): Promise<{ expected: readonly SchemaObject[]; found: readonly SchemaObject[] }>

  /** Streams the rows of a query in constant memory. Integers are bigints. */
  query(sql: string): AsyncIterable<Row>

  /** A subquery with the columns `name` and `last`: the highest ids ever assigned, by `counterNames`. */
  readonly counters: string

  /** A subquery with the columns `category_id`, `status` and `animals`: the stored counts. '' is no status. */
  readonly categoryCounts: string
  /** The same for all categories together, without `category_id`. */
  readonly totals: string

  /** Where the search index does not agree with the names, one sentence each. */
  wrongWords(): AsyncIterable<string>

  close(): Promise<void>
}

/** A subquery that turns a table with a column per status into rows with a status. */
export function rowsByStatus(table: string, columns = ''): string {
  return Object.entries({ available: 'available', pending: 'pending', sold: 'sold', none: '' })
    .map(([column, status]) => `SELECT ${columns} '${status}' AS status, ${column} AS animals FROM ${table}`)
    .join(' UNION ALL ')
}
