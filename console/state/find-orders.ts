import { type Int64, isPetStoreError, type Order, type OrderStatus, type Page } from '../../client/src/index.ts'
import { fillPage } from '../api/fill-page.ts'
import { isId, toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { readOrders } from './orders.ts'
import { isSameId } from './pets.ts'

/** Animals whose orders are shown; others are found in the list of animals. */
const maxAnimals = 5

export interface FoundOrders extends Page<Order> {
  /** Whether more animals may have that name, whose orders are not shown. */
  hasMoreAnimals?: boolean
}

interface Search {
  text: string
  status: OrderStatus | undefined
  cursor: string | undefined
}

/**
 * Orders by their number, by the number or name of their animal, and by customer. Further pages have those by customer.
 */
export async function findOrders({ text, status, cursor }: Search, signal: AbortSignal): Promise<FoundOrders> {
  const readByCustomer = () => readOrders({ customer: text, status, cursor }, signal)
  if (cursor !== undefined) return readByCustomer()
  const [byCustomer, numbered, byAnimal] = await Promise.all([
    readByCustomer(),
    isId(text) ? orderWithNumber(toInt64(text), status, signal) : [],
    ordersByAnimal(text, status, signal),
  ])
  const items = [...numbered, ...byAnimal.items, ...byCustomer.items]
  return { ...byCustomer, items: unique(items, ({ id }) => id), hasMoreAnimals: byAnimal.hasMoreAnimals }
}

async function ordersByAnimal(text: string, status: OrderStatus | undefined, signal: AbortSignal) {
  const animals = await fillPage(
    ({ signal, ...part }) =>
      service()
        .pets.list({ name: text, ...part }, { signal })
        .page(),
    { limit: maxAnimals, signal },
  )
  const petIds = [...(isId(text) ? [toInt64(text)] : []), ...animals.items.map(({ id }) => id)]
  const pages = await Promise.all(unique(petIds, (id) => id).map((petId) => readOrders({ petId, status }, signal)))
  return { items: pages.flatMap((page) => page.items), hasMoreAnimals: animals.cursor !== undefined }
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

function unique<Item>(items: readonly Item[], idOf: (item: Item) => Int64): Item[] {
  return items.filter((item, index) => items.findIndex((other) => isSameId(idOf(other), idOf(item))) === index)
}
