import { type Int64, isPetStoreError, type Order, type OrderStatus, type Page } from '../../client/src/index.ts'
import { isId, toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { type OrderSort, readOrders } from './orders.ts'
import { isSameId } from './pets.ts'
import { orderNumberOf } from './search-text.ts'

interface Search {
  text: string
  status: OrderStatus | undefined
  sort: OrderSort
  cursor: string | undefined
}

/** The texts that the service compares. A page of a search has a part of the orders of each. */
const searched = ['petName', 'customer'] as const

/** Between the cursors of the two lists. No cursor has it. */
const separator = '~'

/**
 * Orders by their number, by the number or name of their animal, and by customer, in the order of their numbers. An
 * order that is found by both texts may be on two pages.
 */
export async function findOrders({ text, status, sort, cursor }: Search, signal: AbortSignal): Promise<Page<Order>> {
  const cursors = cursor?.split(separator)
  // An empty cursor: that list has ended.
  const lists = searched.flatMap((name, index) => {
    const from = cursors?.[index]
    return from === '' ? [] : [{ name, page: readOrders({ [name]: text, status, sort, cursor: from }, signal) }]
  })
  const number = cursor === undefined ? orderNumberOf(text) : undefined
  const [pages, numbered, ofAnimal] = await Promise.all([
    Promise.all(lists.map(async ({ name, page }) => ({ name, ...(await page) }))),
    number === undefined ? [] : orderWithNumber(toInt64(number), status, signal),
    cursor === undefined && isId(text)
      ? readOrders({ petId: toInt64(text), status, sort }, signal).then(({ items }) => items)
      : [],
  ])
  const items = unique([...numbered, ...inOrder([...ofAnimal, ...pages.flatMap((page) => page.items)], sort)])
  const next = searched.map((each) => pages.find(({ name }) => name === each)?.cursor ?? '')
  return { items, cursor: next.every((each) => each === '') ? undefined : next.join(separator) }
}

async function orderWithNumber(id: Int64, status: OrderStatus | undefined, signal: AbortSignal): Promise<Order[]> {
  try {
    const order = await service().orders.get(id, { signal })
    return status === undefined || order.status === status ? [order] : []
  } catch (error) {
    if (isPetStoreError(error, 'not_found')) return []
    throw error
  }
}

function inOrder(orders: readonly Order[], sort: OrderSort): Order[] {
  const direction = sort === 'id' ? 1 : -1
  return orders.toSorted((one, other) => (one.id === other.id ? 0 : one.id < other.id ? -direction : direction))
}

function unique(orders: readonly Order[]): Order[] {
  return orders.filter((order, index) => orders.findIndex(({ id }) => isSameId(id, order.id)) === index)
}
