import { int64Max } from '../../../contract/int64.ts'
import type { IdSort } from '../../../contract/parameters.ts'
import type { Page } from '../../../inventory/page.ts'
import { decodeReadable } from '../rows/unreadable-row.ts'

/** The parts of a list statement that depend on its direction. */
export interface Direction {
  /** Compares an id with the item before the page. */
  beyond: '>' | '<'
  /** The opposite comparison, for the columns that stay the same. */
  within: '<=' | '>='
  /** Follows each column of ORDER BY. */
  order: '' | ' DESC'
}

export const ascending: Direction = { beyond: '>', within: '<=', order: '' }
export const descending: Direction = { beyond: '<', within: '>=', order: ' DESC' }

/** The id before the page; for the first page in descending order, the highest int64. */
export function boundOf(sort: IdSort | undefined, after: bigint): bigint {
  return sort === '-id' && after === 0n ? int64Max : after
}

/**
 * Makes a page of `limit` items. The query asks for one row more; if it is present, there is a next page. Rows that
 * cannot be read are left out; then `next` is the end of those that were read. Rows begin with their ids.
 */
export function toPage<Row extends readonly unknown[], Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const more = rows.length > limit
  if (more) rows.pop()
  const items = decodeReadable(rows, toItem)
  return more && items.length < rows.length ? { items, more, next: rows.at(-1)?.[0] as bigint } : { items, more }
}
