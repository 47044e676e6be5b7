import { maxOrdersSearched, type Order, orderMembers } from '../../../contract/order.ts'
import type { IdSort } from '../../../contract/parameters.ts'
import { loopSteps, nextLoopTick } from '../../../inventory/loop-steps.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import type { Orders } from '../../../inventory/orders.ts'
import type { Page } from '../../../inventory/page.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { resourceRows } from '../rows/resource-rows.ts'
import { decodeReadable } from '../rows/unreadable-row.ts'
import type { ValueFilter } from './filters.ts'

/** Orders per read: few enough that the event loop is not blocked for long. */
const ordersPerRead = 2_000
/** Proposed orders that a request compares: each may have a costly customer. */
const maxCompared = 5_000

export interface Proposed {
  /** In the order of the list. */
  rows: Row[]
  /** The id of the last order that was looked at. Undefined if none follows. */
  next?: bigint
}

/**
 * Looks through the next orders of a list, `count` at most. Proposes those whose customer may have a word that begins
 * with `word`: the database compares texts in ASCII, all others are proposed.
 */
export type ProposeOrders = (
  word: string,
  count: number,
  from: { after: bigint; sort: IdSort; filter: ValueFilter },
) => Promise<Proposed>

/** Lets a search read all its parts from one state. */
export type SearchOrders = (search: (propose: ProposeOrders) => Promise<Page<Order>>) => Promise<Page<Order>>

/** Adds the search by customer to a list of orders, by reading the list: customers have no index. */
export function withCustomerSearch(list: Orders['list'], atOneState: SearchOrders): Orders['list'] {
  return ({ customer, ...query }, limit, after) => {
    if (customer === undefined) return list(query, limit, after)
    const words = searchWords(customer, 'customer')
    const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
    const { sort = 'id', ...filter } = query
    return atOneState((propose) =>
      search(words, limit, after, (start) => propose(longest, ordersPerRead, { after: start, sort, filter })),
    )
  }
}

type Read = (after: bigint) => Promise<Proposed>

async function search(words: readonly string[], limit: number, after: bigint, read: Read): Promise<Page<Order>> {
  const found: Order[] = []
  let start = after
  let compared = 0
  for (let searched = ordersPerRead; ; searched += ordersPerRead) {
    const { rows, next } = await read(start)
    const matches = await matchesOf(rows, words)
    const room = limit - found.length
    found.push(...matches.slice(0, room))
    const isFull = found.length === limit && (next !== undefined || matches.length > room)
    // The next page starts after the last order of this one.
    if (isFull) return { items: found, more: true, next: (found.at(-1) as Order).id }
    if (next === undefined) return { items: found, more: false }
    compared += rows.length
    if (searched >= maxOrdersSearched || compared >= maxCompared) return { items: found, more: true, next }
    start = next
    await nextLoopTick()
  }
}

const customerIndex = Object.keys(orderMembers).indexOf('customer')

/** In steps of the event loop: customers may have costly words. */
async function matchesOf(rows: readonly Row[], words: readonly string[]): Promise<Order[]> {
  const steps = loopSteps()
  const matches: Row[] = []
  for (const row of rows) {
    const customer = row[customerIndex]
    if (typeof customer === 'string' && hasWords(customer, words)) matches.push(row)
    if (steps.isOver()) await steps.next()
  }
  return decodeReadable(matches, resourceRows.orders.toItem)
}
