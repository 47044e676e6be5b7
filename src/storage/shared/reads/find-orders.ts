import { maxOrdersSearched, type Order, orderMembers } from '../../../contract/order.ts'
import type { IdSort } from '../../../contract/parameters.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { callerLeft } from '../../../inventory/errors.ts'
import { loopSteps, nextLoopTick } from '../../../inventory/loop-steps.ts'
import { hasWords, indexCost, searchWords } from '../../../inventory/name-words.ts'
import type { OrderQuery, Orders } from '../../../inventory/orders.ts'
import type { Page } from '../../../inventory/page.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { resourceRows } from '../rows/resource-rows.ts'
import { decodeReadable } from '../rows/unreadable-row.ts'
import type { ValueFilter } from './filters.ts'

/** Orders per read: few enough that the event loop is not blocked for long. Each animal is a look-up. */
const ordersPerRead = { customer: 2_000, petName: 500 }
/** What a request may compare of the proposed orders: a short text counts as 1. */
const maxCompared = 5_000
/** A long text takes longer to compare than to index, as in a search of pets. */
const costFactor = 4

/** The texts that orders are found by. The name is that of the animal, as it is now. */
export type SearchedText = 'customer' | 'petName'

/** One word of each text that is searched: its longest. */
export type ProposalWords = Readonly<Partial<Record<SearchedText, string>>>

/** An order, and what its animal's name is compared by: the name or its words. Null if the name is too large to list. */
export type ProposedRow = readonly [...order: Row, petName: string | null]

export interface Proposed {
  /** In the order of the list. */
  rows: ProposedRow[]
  /** The id of the last order that was looked at. Undefined if none follows. */
  next?: bigint
}

export interface OrderProposals {
  /**
   * Looks through the next orders of a list, `count` at most. Proposes those whose texts may have a word that begins
   * with the given one.
   */
  propose(
    words: ProposalWords,
    count: number,
    from: { after: bigint; sort: IdSort; filter: ValueFilter },
  ): Promise<Proposed>
  /** The name of an animal, as much of it as is compared. Undefined if it is gone. */
  comparedName(petId: bigint): Promise<string | undefined>
}

/** Lets a search read all its parts from one state. */
export type SearchOrders = (
  search: (proposals: OrderProposals) => Promise<Page<Order>>,
  caller?: Caller,
) => Promise<Page<Order>>

/**
 * Adds the search by customer and by the name of the animal to a list of orders, by reading the list: neither is in an
 * index of orders.
 */
export function withOrderSearch(list: Orders['list'], atOneState: SearchOrders): Orders['list'] {
  return ({ customer, petName, ...query }, limit, after, caller) => {
    if (customer === undefined && petName === undefined) return list(query, limit, after)
    const search: Search = {
      words: {
        ...(customer !== undefined && { customer: searchWords(customer, 'customer') }),
        ...(petName !== undefined && { petName: searchWords(petName, 'petName') }),
      },
      query,
      limit,
    }
    return atOneState((proposals) => find(search, after, proposals, caller?.signal), caller)
  }
}

interface Search {
  words: Partial<Record<SearchedText, readonly string[]>>
  query: Omit<OrderQuery, SearchedText>
  limit: number
}

async function find(
  { words, query, limit }: Search,
  after: bigint,
  proposals: OrderProposals,
  signal: AbortSignal | undefined,
): Promise<Page<Order>> {
  const { sort = 'id', ...filter } = query
  const longest = Object.fromEntries(Object.entries(words).map(([text, each]) => [text, longestOf(each)]))
  const count = ordersPerRead[words.petName === undefined ? 'customer' : 'petName']
  const compare = comparison(words, proposals)
  const found: Order[] = []
  let start = after
  for (let searched = count; ; searched += count) {
    const { rows, next: last } = await proposals.propose(longest, count, { after: start, sort, filter })
    const { matches, end } = await compare(rows)
    const next = end ?? last
    const room = limit - found.length
    found.push(...matches.slice(0, room))
    const isFull = found.length === limit && (next !== undefined || matches.length > room)
    // The next page starts after the last order of this one.
    if (isFull) return { items: found, more: true, next: (found.at(-1) as Order).id }
    if (next === undefined) return { items: found, more: false }
    if (end !== undefined || searched >= maxOrdersSearched) return { items: found, more: true, next }
    start = next
    await nextLoopTick()
    if (signal?.aborted) throw callerLeft()
  }
}

function longestOf(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

const memberNames = Object.keys(orderMembers)
const [petIdIndex, customerIndex] = [memberNames.indexOf('petId'), memberNames.indexOf('customer')]

interface Compared {
  matches: Order[]
  /** The id of the last order that was compared, if the search must end there. */
  end?: bigint
}

/** Compares proposed orders, in steps of the event loop: texts may have costly words. */
function comparison({ customer, petName }: Search['words'], { comparedName }: OrderProposals) {
  let cost = 0

  function isMatch(text: unknown, words: readonly string[] | undefined): boolean {
    if (words === undefined) return true
    if (typeof text !== 'string') return false
    cost += costFactor * indexCost(text)
    return hasWords(text, words)
  }

  return async (rows: readonly ProposedRow[]): Promise<Compared> => {
    const steps = loopSteps()
    const matches: Row[] = []
    for (const [index, proposed] of rows.entries()) {
      const order = proposed.slice(0, memberNames.length)
      cost++
      if (isMatch(order[customerIndex], customer)) {
        const name = petName && (proposed[memberNames.length] ?? (await comparedName(order[petIdIndex] as bigint)))
        if (isMatch(name, petName)) matches.push(order)
      }
      const isLast = index === rows.length - 1
      if (cost >= maxCompared && !isLast) return { matches: decoded(matches), end: order[0] as bigint }
      if (steps.isOver()) await steps.next()
    }
    return { matches: decoded(matches) }
  }

  function decoded(matches: readonly Row[]): Order[] {
    return decodeReadable(matches, resourceRows.orders.toItem)
  }
}
