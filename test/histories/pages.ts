import type { ShopState } from './feed.ts'
import type { Animal, BulkFilter, ListFilter, Order, OrderFilter } from './history.ts'

export function hasOpenOrder({ orders }: ShopState, animalId: number): boolean {
  return [...orders.values()].some(({ petId, status }) => petId === animalId && status === 'placed')
}

type Filter = Partial<ListFilter> | BulkFilter

export function matching({ animals }: ShopState, filter: Filter): Animal[] {
  const { id, status, categoryId, name, ids } = filter as Partial<ListFilter> & { ids?: number[] }
  return [...animals.values()].filter(
    (animal) =>
      (status === undefined || animal.status === status) &&
      (categoryId === undefined || animal.categoryId === categoryId) &&
      (id === undefined || animal.id === id) &&
      (name === undefined || hasWord(animal.name, name)) &&
      (ids === undefined || ids.includes(animal.id)),
  )
}

export function hasWord(text: string, beginning: string): boolean {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => word.startsWith(beginning.toLowerCase()))
}

export function countOf(state: ShopState, filter: ListFilter): number {
  return matching(state, filter).length
}

export function pageOf(state: ShopState, filter: ListFilter): Animal[] {
  const { sort = 'id', limit, next } = filter
  const byName = (a: Animal, b: Animal) => {
    const [one, other] = [a.name.toLowerCase(), b.name.toLowerCase()]
    return one < other ? -1 : one > other ? 1 : a.id - b.id
  }
  const ascending = sort.endsWith('name') ? byName : (a: Animal, b: Animal) => a.id - b.id
  const order = sort.startsWith('-') ? (a: Animal, b: Animal) => ascending(b, a) : ascending
  return matching(state, filter)
    .filter((animal) => next?.after === undefined || order(animal, next.after) > 0)
    .toSorted(order)
    .slice(0, limit)
}

export function hasNext(state: ShopState, filter: ListFilter): boolean {
  return pageOf(state, { ...filter, limit: filter.limit + 1 }).length > filter.limit
}

export function ordersOf({ orders, animals }: ShopState, filter: OrderFilter): Order[] {
  const { limit, status, petId, petName, sort, next } = filter
  const order = (a: Order, b: Order) => (sort === '-id' ? b.id - a.id : a.id - b.id)
  return [...orders.values()]
    .filter((each) => {
      const animal = animals.get(each.petId)
      return (
        (status === undefined || each.status === status) &&
        (petId === undefined || each.petId === petId) &&
        (petName === undefined || (animal !== undefined && hasWord(animal.name, petName))) &&
        (next?.after === undefined || order(each, next.after) > 0)
      )
    })
    .toSorted(order)
    .slice(0, limit)
}

export function hasNextOrder(state: ShopState, filter: OrderFilter): boolean {
  return ordersOf(state, { ...filter, limit: filter.limit + 1 }).length > filter.limit
}

/** The counts of all animals and of each category, as far as one page has them. */
export function inventoryOf(state: ShopState) {
  const all = [...state.animals.values()]
  const counts = (animals: readonly Animal[]) => {
    const count = (status: string | undefined) => animals.filter((animal) => animal.status === status).length
    return {
      total: animals.length,
      available: count('available'),
      pending: count('pending'),
      sold: count('sold'),
      none: count(undefined),
    }
  }
  const categories = Map.groupBy(all, ({ categoryId }) => categoryId)
    .entries()
    .map(([id, animals]) => ({ id, ...counts(animals) }))
    .toArray()
    .toSorted((a, b) => b.total - a.total || a.id - b.id)
  return { ...counts(all), categories, others: 0 }
}
