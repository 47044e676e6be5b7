import { maxOrdersSearched, type Order } from '../../../contract/order.ts'
import { loopSteps, nextLoopTick } from '../../../inventory/loop-steps.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import type { Orders } from '../../../inventory/orders.ts'
import type { Page } from '../../../inventory/page.ts'

/** Orders per read: few enough that the event loop is not blocked for long. */
const ordersPerRead = 100

/** Adds the search by customer to a list of orders, by reading the list: customers have no index. */
export function withCustomerSearch(list: Orders['list']): Orders['list'] {
  return ({ customer, ...query }, limit, after) => {
    if (customer === undefined) return list(query, limit, after)
    return search(customer, limit, after, (start) => list(query, ordersPerRead, start))
  }
}

type Read = (after: bigint) => Promise<Page<Order>>

async function search(customer: string, limit: number, after: bigint, read: Read): Promise<Page<Order>> {
  const words = searchWords(customer, 'customer')
  const found: Order[] = []
  let start = after
  for (let searched = 0; ; await nextLoopTick()) {
    const page = await read(start)
    const matches = await matchesOf(page.items, words)
    const last = matches[limit - found.length - 1]
    found.push(...matches.slice(0, limit - found.length))
    searched += page.items.length
    const end = page.next ?? page.items.at(-1)?.id
    // The page is full: the next one starts after its last order.
    if (last !== undefined && (page.more || last.id !== end)) return { items: found, more: true, next: last.id }
    if (end === undefined || !page.more) return { items: found, more: false }
    if (searched >= maxOrdersSearched) return { items: found, more: true, next: end }
    start = end
  }
}

/** In steps of the event loop: customers may have costly words. */
async function matchesOf(orders: readonly Order[], words: readonly string[]): Promise<Order[]> {
  const steps = loopSteps()
  const matches: Order[] = []
  for (const order of orders) {
    if (order.customer !== undefined && hasWords(order.customer, words)) matches.push(order)
    if (steps.isOver()) await steps.next()
  }
  return matches
}
