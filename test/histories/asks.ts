import type { Animal, Ask, Call, FeedEvent, ListFilter, Order, Status } from './history.ts'
import type { Random } from './random.ts'

const maxKnown = 12

/** What clients have heard of. Few, so that they meet. */
export interface Known {
  animals: number[]
  orders: number[]
  /** Of animals, as somebody was told. */
  tags: { id: number; tag: string }[]
  lastEvent: number
  pages: ListFilter[]
  /** Requests with an Idempotency-Key, which may be sent again. */
  repeatable: Ask[]
}

export function nothingKnown(): Known {
  return { animals: [], orders: [], tags: [], lastEvent: 0, pages: [], repeatable: [] }
}

export function learn(known: Known, { ask, answer }: Call): void {
  const { status = 0, body, etag, cursor } = answer ?? {}
  const remember = <Item>(items: Item[], item: Item) => {
    if (!items.includes(item)) items.push(item)
    if (items.length > maxKnown) items.shift()
  }
  if ('idempotencyKey' in ask && ask.idempotencyKey !== undefined) remember(known.repeatable, ask)
  if (status === 201 && ask.kind === 'create') remember(known.animals, (body as Animal).id)
  if (status === 201 && ask.kind === 'order') remember(known.orders, (body as Order).id)
  if (status === 200 && ask.kind === 'list') {
    const page = body as Animal[]
    for (const { id } of page.slice(0, 3)) remember(known.animals, id)
    const after = page.at(-1)
    if (cursor !== undefined && after !== undefined) remember(known.pages, { ...ask.filter, next: { cursor, after } })
  }
  if (status === 200 && ask.kind === 'events')
    known.lastEvent = Math.max(known.lastEvent, Number((body as FeedEvent[]).at(-1)?.id ?? 0))
  if (etag !== undefined && status === 200 && ask.kind === 'get') remember(known.tags, { id: ask.id, tag: etag })
}

/** Writes and reads in equal parts, of few animals. */
export function nextAsk(random: Random, known: Known, id: string): Ask {
  if (known.repeatable.length > 0 && random.chance(0.05)) return random.of(known.repeatable)
  const animal = random.of(known.animals) ?? 1
  const order = random.of(known.orders) ?? 1
  const statuses: Status[] = ['available', 'pending', 'sold']
  switch (random.number(18)) {
    case 0:
    case 1:
      return {
        kind: 'create',
        animal: { name: `n${id}`, categoryId: 1 + random.number(3), status: 'available' },
        ...(random.chance(0.4) ? { idempotencyKey: `create-${id}` } : {}),
      }
    case 2:
    case 3:
      return renameOf(conditional(random, known, animal), `n${id}`)
    case 4:
      return { kind: 'remove', id: animal }
    case 5:
    case 6:
      return { kind: 'order', petId: animal, ...(random.chance(0.4) ? { idempotencyKey: `order-${id}` } : {}) }
    case 7:
      return { kind: 'close', orderId: order, status: random.chance(0.2) ? 'completed' : 'cancelled' }
    case 8:
    case 9:
      return getOf(conditional(random, known, animal))
    case 10:
      return { kind: 'getOrder', orderId: order }
    case 11:
      return { kind: 'inventory' }
    case 12:
      if (known.pages.length > 0) return { kind: 'list', filter: random.of(known.pages) }
      return { kind: 'inventory' }
    case 13:
      return { kind: 'events', after: Math.max(0, known.lastEvent - random.number(20)), limit: random.of([5, 100]) }
    default:
      return {
        kind: 'list',
        filter: {
          limit: random.of([1, 5, 20, 100]),
          ...(random.chance(0.4) ? { status: random.of(statuses) } : {}),
          ...(random.chance(0.3) ? { categoryId: 1 + random.number(3) } : {}),
          ...(random.chance(0.4) ? { sort: random.of(['-id', 'name', '-name'] as const) } : {}),
          ...(random.chance(0.5) ? { isCounted: true } : {}),
        },
      }
  }
}

/** An animal; sometimes one with a tag that was once its own. */
function conditional(random: Random, { tags }: Known, id: number): { id: number; tag?: string } {
  const tagged = random.chance(0.4) ? random.of(tags.slice(-4)) : undefined
  return tagged ?? { id }
}

function renameOf({ id, tag }: { id: number; tag?: string }, name: string): Ask {
  return { kind: 'rename', id, name, ...(tag === undefined ? {} : { ifMatch: tag }) }
}

function getOf({ id, tag }: { id: number; tag?: string }): Ask {
  return { kind: 'get', id, ...(tag === undefined ? {} : { ifNoneMatch: tag }) }
}
