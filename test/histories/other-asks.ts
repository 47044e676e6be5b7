import type { Ask, Call, Category, Order } from './history.ts'
import type { Random } from './random.ts'

// Categories, keys and the customers of orders have no events; the list of imports tells of many events at once.

const maxKnown = 12
export const words = ['ada', 'bob', 'cleo', 'coco']

export interface KnownOthers {
  orders: number[]
  /** With a name, now or before. */
  categories: number[]
  categoryPages: Ask[]
  customerPages: Ask[]
  keys: { keyId: string; secret: string }[]
}

export function noOthersKnown(): KnownOthers {
  return { orders: [], categories: [], categoryPages: [], customerPages: [], keys: [] }
}

export function remember<Item>(items: Item[], item: Item, most = maxKnown): void {
  if (!items.includes(item)) items.push(item)
  if (items.length > most) items.shift()
}

export function learnOther(known: KnownOthers, { ask, answer }: Call): void {
  const { status = 0, body, cursor } = answer ?? {}
  if (status === 201 && (ask.kind === 'addCategory' || ask.kind === 'nameCategory'))
    remember(known.categories, (body as Category).id, 4)
  if (status === 201 && ask.kind === 'makeKey') {
    const { id, key } = body as { id: string; key: string }
    remember(known.keys, { keyId: id, secret: key }, 4)
  }
  if (status === 200 && ask.kind === 'categories' && cursor !== undefined)
    remember(known.categoryPages, { ...ask, next: { cursor, after: (body as Category[]).at(-1)?.id ?? 0 } }, 4)
  if (status === 200 && ask.kind === 'customers' && cursor !== undefined) {
    const page = body as Order[]
    const after = page.at(-1)?.id ?? ask.next?.after
    const next = { cursor, isShort: page.length < ask.limit, ...(after === undefined ? {} : { after }) }
    remember(known.customerPages, { ...ask, next }, 4)
  }
}

export function nextOtherAsk(random: Random, known: KnownOthers, id: string): Ask {
  const name = `${random.of(words)} ${id}`
  const key = random.of(known.keys)
  const category = random.of(known.categories)
  const ofAnimals = 1 + random.number(3)
  const order = random.of(known.orders) ?? 1
  switch (random.number(13)) {
    case 0:
      return { kind: 'addCategory', name }
    case 1:
    case 2:
      return nameCategory(random, category, name)
    case 3:
      return { kind: 'removeCategory', id: category === undefined || random.chance(0.5) ? ofAnimals : category }
    case 4:
      return { kind: 'getCategory', id: category ?? ofAnimals }
    case 5:
    case 6: {
      const page = random.chance(0.5) ? random.of(known.categoryPages) : undefined
      return page ?? { kind: 'categories', limit: random.of([1, 3, 100]) }
    }
    case 7:
      return { kind: 'setCustomer', orderId: order, customer: random.chance(0.2) ? null : name }
    case 8: {
      const page = random.chance(0.5) ? random.of(known.customerPages) : undefined
      return page ?? { kind: 'customers', word: random.of([...words, 'co']), limit: random.of([1, 5, 100]) }
    }
    case 9:
      return { kind: 'imports', limit: random.of([1, 5, 100]) }
    case 10:
      if (key === undefined || random.chance(0.5)) return { kind: 'makeKey', name }
      return random.chance(0.5) ? { kind: 'revokeKey', keyId: key.keyId } : { kind: 'getKey', keyId: key.keyId }
    default:
      return key === undefined ? { kind: 'makeKey', name } : { kind: 'useKey', ...key }
  }
}

/** One that animals have, one that clients know, or one that nobody has named; the service gives ids above zero. */
function nameCategory(random: Random, category: number | undefined, name: string): Ask {
  const fresh = -1 - random.number(1_000_000)
  const id = random.chance(0.2) ? 1 + random.number(3) : random.chance(0.3) ? fresh : (category ?? fresh)
  const only = random.chance(0.6) ? undefined : random.of(['new', 'known'] as const)
  return { kind: 'nameCategory', id, name, ...(only === undefined ? {} : { only }) }
}
