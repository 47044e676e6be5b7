import type { Feed, ShopState } from './feed.ts'
import type { Animal, Answer, Ask, Call, FeedEvent, ListFilter } from './history.ts'

/** Learns what each entity tag stands for, and says whether an answer is true of a state. */
export function answerChecker(calls: readonly Call[], feed: Feed) {
  const bodyOfTag = new Map<string, string>()
  for (const { ask, answer } of calls) {
    if (
      answer?.etag !== undefined &&
      answer.status < 300 &&
      (ask.kind === 'get' || ask.kind === 'create' || ask.kind === 'rename')
    )
      bodyOfTag.set(answer.etag, JSON.stringify(answer.body))
  }

  /** A conditional request names a tag that some client was told. */
  const isTagOf = (tag: string | undefined, animal: Animal) =>
    tag !== undefined && bodyOfTag.get(tag) === JSON.stringify(animal)

  /** Whether a write that was carried out was allowed to be, in the state before it. */
  const wasAllowed = ({ ask }: Call, { animals }: ShopState): boolean => {
    if (ask.kind !== 'rename' || ask.ifMatch === undefined) return true
    const animal = animals.get(ask.id)
    return animal !== undefined && isTagOf(ask.ifMatch, animal)
  }

  /** Whether an answer that changed nothing is true of a state. */
  function fits(ask: Ask, answer: Answer, state: ShopState, position: number): boolean {
    const { animals, orders } = state
    const { status, body } = answer
    switch (ask.kind) {
      case 'get': {
        const animal = animals.get(ask.id)
        if (status === 404 || animal === undefined) return status === 404 && animal === undefined
        return (status === 304) === isTagOf(ask.ifNoneMatch, animal) && (status === 304 || isSame(animal, body))
      }
      case 'getOrder': {
        const order = orders.get(ask.orderId)
        return status === 404 ? order === undefined : order !== undefined && isSame(order, body)
      }
      case 'list':
        return (
          isSame(pageOf(state, ask.filter), body) &&
          hasNext(state, ask.filter) === (answer.cursor !== undefined) &&
          (!ask.filter.isCounted || countOf(state, ask.filter) === answer.total)
        )
      case 'inventory':
        return Object.entries(inventoryOf(state)).every(
          ([name, count]) => (body as Record<string, number>)[name] === count,
        )
      case 'events':
        return isEventPage(feed.events, ask, body as FeedEvent[], position)
      case 'rename': {
        const animal = animals.get(ask.id)
        return status === 404
          ? animal === undefined
          : status === 412 && animal !== undefined && !isTagOf(ask.ifMatch, animal)
      }
      case 'remove':
        return status === 404 ? !animals.has(ask.id) : status === 409 && hasOpenOrder(state, ask.id)
      case 'order':
        return status === 409 && animals.get(ask.petId)?.status !== 'available'
      case 'close': {
        const order = orders.get(ask.orderId)
        return status === 404 ? order === undefined : status === 409 && order !== undefined && order.status !== 'placed'
      }
      case 'create':
        return false
    }
  }

  return { fits, wasAllowed }
}

export function hasOpenOrder({ orders }: ShopState, animalId: number): boolean {
  return [...orders.values()].some(({ petId, status }) => petId === animalId && status === 'placed')
}

function matching({ animals }: ShopState, { status, categoryId }: ListFilter): Animal[] {
  return [...animals.values()].filter(
    (animal) =>
      (status === undefined || animal.status === status) &&
      (categoryId === undefined || animal.categoryId === categoryId),
  )
}

export function countOf(state: ShopState, filter: ListFilter): number {
  return matching(state, filter).length
}

export function pageOf(state: ShopState, filter: ListFilter): Animal[] {
  const { sort = 'id', limit, next } = filter
  const byName = (a: Animal, b: Animal) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)
  const ascending = sort.endsWith('name') ? byName : (a: Animal, b: Animal) => a.id - b.id
  const order = sort.startsWith('-') ? (a: Animal, b: Animal) => ascending(b, a) : ascending
  return matching(state, filter)
    .filter((animal) => next === undefined || order(animal, next.after) > 0)
    .toSorted(order)
    .slice(0, limit)
}

export function hasNext(state: ShopState, filter: ListFilter): boolean {
  return pageOf(state, { ...filter, limit: filter.limit + 1 }).length > filter.limit
}

export function inventoryOf(state: ShopState): Record<string, number> {
  const all = matching(state, { limit: Infinity })
  const count = (status: string | undefined) => all.filter((animal) => animal.status === status).length
  return {
    total: all.length,
    available: count('available'),
    pending: count('pending'),
    sold: count('sold'),
    none: count(undefined),
  }
}

/** A page that is not full says that nothing follows it. */
function isEventPage(
  events: readonly FeedEvent[],
  { after, limit }: { after: number; limit: number },
  body: FeedEvent[],
  position: number,
): boolean {
  return isSame(events.slice(after, Math.min(after + limit, position)), body)
}

function isSame(expected: unknown, given: unknown): boolean {
  return JSON.stringify(expected) === JSON.stringify(given)
}
