import { positionLost } from '../../inventory/errors.ts'
import type { Page } from '../../inventory/page.ts'
import type { Verdict } from './lineage.ts'

/** A page of `limit` from rows that were asked for with one more: whether that one came tells whether there is more. */
export function toPage<Row, Item>(rows: Row[], limit: number, toItem: (row: Row) => Item): Page<Item> {
  const more = rows.length > limit
  if (more) rows.pop()
  return { items: rows.map(toItem), more }
}

/** The id of the last item of a page, if more follows: the next page starts behind it. Rows begin with their ids. */
export function lastOfPage(rows: readonly (readonly unknown[])[], limit: number): bigint | undefined {
  return rows.length > limit ? (rows[limit - 1]?.[0] as bigint) : undefined
}

/** The page with the history to go on in; throws where it began in one that was lost. */
export function inHistory<Item>(page: Page<Item>, { isLost, history }: Verdict): Page<Item> {
  if (isLost) throw positionLost()
  if (history !== undefined) page.history = history
  return page
}
