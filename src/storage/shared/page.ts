import type { Page } from '../../inventory/page.ts'

/** A page of `limit` from rows that were asked for with one more: whether that one came tells whether there is more. */
export function toPage<Row, Item>(rows: Row[], limit: number, toItem: (row: Row) => Item): Page<Item> {
  const more = rows.length > limit
  if (more) rows.pop()
  return { items: rows.map(toItem), more }
}
