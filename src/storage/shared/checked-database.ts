import type { Row } from '../../inventory/snapshot.ts'

/** What an engine finds in its own files. */
export type Integrity = { found: string[] } | { skipped: string }

/** A database at one moment, to be checked. It is only read. The SQL is of the kind that both engines understand. */
export interface CheckedDatabase {
  /** Verifies the files and indexes, as far as the engine can. */
  integrity(): Promise<Integrity>

  /** Streams the rows of a query, so that any number takes the same memory. Integers come as bigints. */
  query(sql: string): AsyncIterable<Row>

  /** A subquery with the columns `name` and `last`: the highest ids ever given to `events`, `orders` and `pets`. */
  readonly counters: string

  /** Subqueries with the columns `category_id`, `status` and `animals`: the counts that are kept. '' stands for no status. */
  readonly categoryCounts: string
  /** The same for all categories together, without `category_id`, where the engine keeps them. */
  readonly totals?: string
  /** A subquery with the columns `category_id` and `animals`: totals by category, where the engine keeps them on their own. */
  readonly categoryTotals?: string

  close(): Promise<void>
}

/** A subquery for the rows of a table with a column for each status, as rows with a status. */
export function rowsByStatus(table: string, columns = ''): string {
  return Object.entries({ available: 'available', pending: 'pending', sold: 'sold', none: '' })
    .map(([column, status]) => `SELECT ${columns} '${status}' AS status, ${column} AS animals FROM ${table}`)
    .join(' UNION ALL ')
}
