import type { Row } from '../../inventory/snapshot.ts'

/** The result of the engine's own check of its files. */
export type Integrity = { found: string[] } | { skipped: string }

/** A read-only snapshot of a database, to be checked. The SQL works on both engines. */
export interface CheckedDatabase {
  /** Verifies the files and indexes, as far as the engine can. */
  integrity(): Promise<Integrity>

  /** Streams the rows of a query in constant memory. Integers are bigints. */
  query(sql: string): AsyncIterable<Row>

  /** A subquery with the columns `name` and `last`: the highest ids ever assigned to `events`, `orders` and `pets`. */
  readonly counters: string

  /** A subquery with the columns `category_id`, `status` and `animals`: the stored counts. '' is no status. */
  readonly categoryCounts: string
  /** The same for all categories together, without `category_id`, if the engine stores totals. */
  readonly totals?: string
  /**
   * A subquery with the columns `category_id` and `animals`: totals by category, where the engine keeps them on their
   * own.
   */
  readonly categoryTotals?: string

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
