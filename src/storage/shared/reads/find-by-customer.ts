import { maxOrdersSearched, type Order } from '../../../contract/order.ts'
import { loopSteps, nextTurn } from '../../../inventory/loop-steps.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import type { Orders } from '../../../inventory/orders.ts'
import type { Page } from '../../../inventory/page.ts'

/** Orders per read: few enough that the event loop is not blocked for long. */
const ordersPerRead = 100

/** Adds the search by customer to a list of orders, by reading the list: customers have no index. */
export function withCustomerSearch(list: Orders['list']): Orders['list'] {
  return ({ customer, ...query }, limit, after, history) => {
    if (customer === undefined) return list(query, limit, after, history)
    return search(customer, limit, { after, history }, (size, from) => list(query, size, from.after, from.history))
  }
}

interface Start {
  after: bigint
  history: string | undefined
}

type Read = (size: number, start: Start) => Promise<Page<Order>>

async function search(customer: string, limit: number, first: Start, read: Read): Promise<Page<Order>> {
  const words = searchWords(customer, 'customer')
  const found: Order[] = []
  let start = first
  for (let searched = 0; ; await nextTurn()) {
    const { page, matches } = await readTo(limit - found.length, words, (size) => read(size, start))
    found.push(...matches)
    searched += page.items.length
    const last = page.next ?? page.items.at(-1)?.id
    if (last === undefined || !page.more) return { items: found, more: false }
    if (found.length === limit || searched >= maxOrdersSearched) return { ...page, items: found, next: last }
    start = { after: last, history: page.history }
  }
}

/** Reads a page that ends with match number `wanted`, if there is one: the history of a page is that of its end. */
async function readTo(
  wanted: number,
  words: readonly string[],
  read: (size: number) => Promise<Page<Order>>,
): Promise<{ page: Page<Order>; matches: Order[] }> {
  for (let size = ordersPerRead; ; ) {
    const page = await read(size)
    const matches = await matchesOf(page.items, words)
    const last = matches[wanted - 1]
    const end = last === undefined ? 0 : page.items.indexOf(last) + 1
    if (end === 0 || end === page.items.length) return { page, matches }
    // Smaller each time, so this ends even if orders change meanwhile.
    size = end
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
