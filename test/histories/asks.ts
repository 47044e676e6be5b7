import {
  type Animal,
  type Ask,
  type BulkChange,
  type BulkFilter,
  type Call,
  type FeedEvent,
  type ListFilter,
  type Next,
  type Order,
  type OrderFilter,
  type Status,
  numberOf,
} from './history.ts'
import { type KnownOthers, learnOther, nextOtherAsk, noOthersKnown, remember, words } from './other-asks.ts'
import type { Random } from './random.ts'

/** Of requests about what has no events, and the list of imports. */
const otherShare = 0.15

const statuses: readonly Status[] = ['available', 'pending', 'sold']

/** What clients have heard of. Few, so that they meet. */
export interface Known extends KnownOthers {
  animals: number[]
  orders: number[]
  /** Of animals, as somebody was told. */
  tags: { id: number; tag: string }[]
  lastEvent: number
  pages: ListFilter[]
  orderPages: OrderFilter[]
  /** Pages with the tags that they had. */
  views: Ask[]
  imports: string[]
  /** Requests with an Idempotency-Key, which may be sent again. */
  repeatable: Ask[]
}

export function nothingKnown(): Known {
  return {
    ...noOthersKnown(),
    animals: [],
    orders: [],
    tags: [],
    lastEvent: 0,
    pages: [],
    orderPages: [],
    views: [],
    imports: [],
    repeatable: [],
  }
}

export function learn(known: Known, call: Call): void {
  learnOther(known, call)
  const { id, ask, answer } = call
  const { status = 0, body, etag, cursor } = answer ?? {}
  if ('idempotencyKey' in ask && ask.idempotencyKey !== undefined) remember(known.repeatable, ask)
  if (status === 201 && ask.kind === 'create') remember(known.animals, (body as Animal).id)
  if (status === 201 && ask.kind === 'order') remember(known.orders, (body as Order).id)
  if (status === 200 && ask.kind === 'list') {
    const page = body as Animal[]
    for (const { id } of page.slice(0, 3)) remember(known.animals, id)
    if (cursor !== undefined) remember(known.pages, { ...ask.filter, next: nextOf(ask.filter, id, cursor, page) })
  }
  if (status === 200 && ask.kind === 'orders') {
    const next = cursor === undefined ? undefined : nextOf(ask.filter, id, cursor, body as Order[])
    if (next !== undefined) remember(known.orderPages, { ...ask.filter, next })
  }
  const isPage = ask.kind === 'list' || ask.kind === 'orders' || ask.kind === 'inventory' || ask.kind === 'days'
  if (etag !== undefined && status === 200 && isPage) remember(known.views, { ...ask, ifNoneMatch: etag })
  if (status === 200 && ask.kind === 'import') remember(known.imports, ask.importId)
  if (status === 200 && ask.kind === 'events')
    known.lastEvent = Math.max(known.lastEvent, ...(body as FeedEvent[]).map(numberOf))
  if (etag !== undefined && status === 200 && ask.kind === 'get') remember(known.tags, { id: ask.id, tag: etag })
}

/** A search that stops early has a short page, and where the next one begins is not seen. */
function nextOf<Row>(
  { limit, next }: { limit: number; next?: Next<Row> },
  id: string,
  cursor: string,
  page: readonly Row[],
): Next<Row> {
  const after = page.at(-1) ?? next?.after
  const since = page.length < limit ? (next?.since ?? id) : undefined
  return { cursor, ...(after === undefined ? {} : { after }), ...(since === undefined ? {} : { since }) }
}

/** Writes and reads in equal parts, of few animals. */
export function nextAsk(random: Random, known: Known, id: string): Ask {
  if (known.repeatable.length > 0 && random.chance(0.05)) return random.of(known.repeatable)
  if (random.chance(otherShare)) return nextOtherAsk(random, known, id)
  const animal = random.of(known.animals) ?? 1
  const order = random.of(known.orders) ?? 1
  const word = random.of(words)
  const name = `${random.chance(0.3) ? word.toUpperCase() : word} ${id}`
  if (known.views.length > 0 && random.chance(0.05)) return random.of(known.views.slice(-3))
  switch (random.number(25)) {
    case 0:
    case 1:
      return {
        kind: 'create',
        animal: { name, categoryId: 1 + random.number(3), ...(random.chance(0.8) ? { status: 'available' } : {}) },
        ...(random.chance(0.4) ? { idempotencyKey: `create-${id}` } : {}),
      }
    case 2:
    case 3:
      return renameOf(conditional(random, known, animal), name)
    case 4:
      return removeOf(conditional(random, known, animal))
    case 5:
    case 6:
      return {
        kind: 'order',
        petId: animal,
        ...(random.chance(0.7) ? { customer: name } : {}),
        ...(random.chance(0.4) ? { idempotencyKey: `order-${id}` } : {}),
      }
    case 7:
      return { kind: 'close', orderId: order, status: random.chance(0.2) ? 'completed' : 'cancelled' }
    case 8:
    case 9:
      return getOf(conditional(random, known, animal, false))
    case 10:
      return { kind: 'getOrder', orderId: order }
    case 11:
      return { kind: 'inventory' }
    case 12:
      if (known.pages.length > 0) return { kind: 'list', filter: pageToFollow(random, known.pages) }
      return { kind: 'inventory' }
    case 13:
      return { kind: 'events', after: Math.max(0, known.lastEvent - random.number(20)), limit: random.of([5, 100]) }
    case 14:
      return {
        kind: 'bulk',
        filter: bulkFilter(random, known),
        change: bulkChange(random),
        ...(random.chance(0.4) ? { idempotencyKey: `bulk-${id}` } : {}),
      }
    case 15:
      if (random.chance(0.6)) return { kind: 'get', id: animal }
      if (random.chance(0.2)) return { kind: 'dryRun', rows: rowsOf(random, id) }
      return {
        kind: 'import',
        rows: rowsOf(random, id),
        importId: known.imports.length > 0 && random.chance(0.3) ? random.of(known.imports) : `import-${id}`,
        ...(random.chance(0.6) ? { idempotencyKey: `import-${id}` } : {}),
      }
    case 16:
      return { kind: 'export', filter: random.chance(0.5) ? { status: random.of(statuses) } : {} }
    case 18:
      if (known.imports.length === 0 || random.chance(0.5)) return { kind: 'days' }
      return {
        kind: 'undo',
        importId: random.of(known.imports),
        ...(random.chance(0.4) ? { idempotencyKey: `undo-${id}` } : {}),
      }
    case 19:
      if (random.chance(0.3)) return { kind: 'exportOrders', filter: random.chance(0.5) ? { status: 'placed' } : {} }
      if (known.orderPages.length > 0 && random.chance(0.5))
        return { kind: 'orders', filter: pageToFollow(random, known.orderPages) }
      return { kind: 'orders', filter: orderFilter(random, animal) }
    case 20:
      return { kind: 'orders', filter: orderFilter(random, animal) }
    case 17:
    case 21:
      return { kind: 'list', filter: { ...listFilter(random), name: random.of([...words, 'co', 'b']) } }
    default:
      return { kind: 'list', filter: { ...listFilter(random), ...(random.chance(0.5) ? { isCounted: true } : {}) } }
  }
}

/** Often one after a search that stopped early. */
function pageToFollow<Filter extends { next?: Next<unknown> }>(random: Random, pages: readonly Filter[]): Filter {
  const short = pages.filter(({ next }) => next?.since !== undefined)
  return random.of(short.length > 0 && random.chance(0.5) ? short : pages)
}

function rowsOf(random: Random, id: string): Omit<Animal, 'id'>[] {
  return Array.from({ length: 1 + random.number(6) }, (_, row) => ({
    name: `${random.of(words)} ${id}-row${row}`,
    categoryId: 1 + random.number(3),
    status: random.of(statuses),
  }))
}

function orderFilter(random: Random, petId: number): OrderFilter {
  return {
    limit: random.of([1, 5, 20, 100]),
    ...(random.chance(0.4) ? { status: random.of(['placed', 'completed', 'cancelled'] as const) } : {}),
    ...(random.chance(0.2) ? { petId } : random.chance(0.3) ? { petName: random.of([...words, 'co']) } : {}),
    ...(random.chance(0.5) ? { sort: '-id' as const } : {}),
  }
}

function listFilter(random: Random): ListFilter {
  return {
    limit: random.of([1, 5, 20, 100]),
    ...(random.chance(0.4) ? { status: random.of(statuses) } : {}),
    ...(random.chance(0.3) ? { categoryId: 1 + random.number(3) } : {}),
    ...(random.chance(0.4) ? { sort: random.of(['-id', 'name', '-name'] as const) } : {}),
  }
}

/** Seldom all animals of a status or a category: they would all be sold soon. */
function bulkFilter(random: Random, { animals }: Known): BulkFilter {
  if (random.chance(0.2)) return { status: random.of(statuses) }
  if (random.chance(0.2)) return { categoryId: 1 + random.number(3) }
  return { ids: [...new Set([random.of(animals) ?? 1, random.of(animals) ?? 2, random.of(animals) ?? 3])] }
}

function bulkChange(random: Random): BulkChange {
  if (random.chance(0.1)) return 'delete'
  return random.chance(0.5) ? { categoryId: 1 + random.number(3) } : { status: random.of(['available', 'sold']) }
}

/** An animal; sometimes one with a tag that was once its own, and now and then a weak one, which never matches. */
function conditional(random: Random, { tags }: Known, id: number, isWrite = true): { id: number; tag?: string } {
  const tagged = random.chance(0.4) ? random.of(tags.slice(-4)) : undefined
  if (tagged !== undefined && isWrite && random.chance(0.2)) return { ...tagged, tag: `W/${tagged.tag}` }
  return tagged ?? { id }
}

function renameOf({ id, tag }: { id: number; tag?: string }, name: string): Ask {
  return { kind: 'rename', id, name, ...(tag === undefined ? {} : { ifMatch: tag }) }
}

function removeOf({ id, tag }: { id: number; tag?: string }): Ask {
  return { kind: 'remove', id, ...(tag === undefined ? {} : { ifMatch: tag }) }
}

function getOf({ id, tag }: { id: number; tag?: string }): Ask {
  return { kind: 'get', id, ...(tag === undefined ? {} : { ifNoneMatch: tag }) }
}
