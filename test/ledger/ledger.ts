import type { Animal, Order, WireEvent } from './client.ts'

/** An animal, as its only client knows it. */
export interface Life {
  /** Sent as the Idempotency-Key of the creation, unless it is plain, and with more behind it of the order. */
  readonly key: string
  /** Whether it is created without an Idempotency-Key: the client cannot repeat that. */
  readonly isPlain: boolean
  readonly wanted: Omit<Animal, 'id'>
  /** Whether the client gave up before the create was acknowledged. The animal may exist, once. */
  isAbandoned: boolean
  /** As it was last acknowledged; undefined before its creation and after its removal. */
  animal: Animal | undefined
  order: Order | undefined
  /** The events of all acknowledged changes, in this order. */
  readonly acknowledged: Pick<WireEvent, 'type' | 'data'>[]
}

/** All acknowledged writes, to be compared with the shop at the end. */
export interface Ledger {
  readonly lives: readonly Life[]
  begin(): Life
}

export function emptyLedger(): Ledger {
  const lives: Life[] = []
  return {
    lives,
    begin() {
      const number = lives.length + 1
      const life: Life = {
        key: `attempt ${number}`,
        isPlain: number % 4 === 0,
        wanted: { name: `pet ${number}`, categoryId: number % 7, status: 'available' },
        isAbandoned: false,
        animal: undefined,
        order: undefined,
        acknowledged: [],
      }
      lives.push(life)
      return life
    },
  }
}

export interface Shop {
  animals: readonly Animal[]
  orders: readonly Order[]
  events: readonly WireEvent[]
}

/** Compares a shop with what was acknowledged. Every sentence is a broken promise. */
export function compare({ lives }: Ledger, { animals, orders, events }: Shop): string[] {
  const broken: string[] = []
  const byName = new Map(lives.map((life) => [life.wanted.name, life]))
  const eventsOf = Map.groupBy(events, ({ data }) => ('petId' in data ? data.petId : data.id))
  const idOf = new Map<Life, number>()
  for (const { type, data } of events) {
    if (type !== 'petstore.pet.created') continue
    const life = byName.get((data as Animal).name)
    if (life === undefined) broken.push(`${(data as Animal).name} was created and nobody asked for it`)
    else if (idOf.has(life)) broken.push(`${life.wanted.name} was created twice`)
    else idOf.set(life, data.id)
  }
  events.forEach(({ id }, index) => {
    if (Number.parseInt(id) !== index + 1) broken.push(`event ${index + 1} has the id ${id}`)
  })
  const animalsById = byId(animals, 'animals', broken)
  const ordersById = byId(orders, 'orders', broken)

  for (const life of lives) {
    const { name } = life.wanted
    const id = idOf.get(life)
    if (life.acknowledged.length > 0 && id === undefined) broken.push(`${name} was acknowledged and is lost`)
    if (id === undefined) continue
    const stored = (eventsOf.get(id) ?? []).map(({ type, data }) => ({ type, data: essence(data) }))
    const expected = life.acknowledged.map(({ type, data }) => ({ type, data: essence(data) }))
    if (life.isAbandoned) expected.push({ type: 'petstore.pet.created', data: essence({ id, ...life.wanted }) })
    if (!isSame(stored, expected)) broken.push(`${name}: the events are ${text(stored)} and not ${text(expected)}`)
    if (life.isAbandoned) continue
    const animal = animalsById.get(id)
    if (!isSame(animal, life.animal)) broken.push(`${name} is ${text(animal)} and not ${text(life.animal)}`)
    if (life.order === undefined) continue
    const order = ordersById.get(life.order.id)
    if (order === undefined || !isSame(essence(order), essence(life.order))) {
      broken.push(`${name}: the order is ${text(order)} and not ${text(life.order)}`)
    }
  }
  const known = new Set(idOf.values())
  for (const { id } of animals) if (!known.has(id)) broken.push(`animal ${id} is there without an event`)
  const placed = new Set(lives.map(({ order }) => order?.id))
  for (const { id } of orders) if (!placed.has(id)) broken.push(`order ${id} is there and nobody placed it`)
  return broken
}

/** Compares received events with those of the shop: the same ones, each once, in the same order. */
export function differences(received: readonly WireEvent[], events: readonly WireEvent[]): string[] {
  const wrong: string[] = []
  for (const [index, event] of events.entries()) {
    if (received[index] === undefined) return [...wrong, `event ${event.id} and later ones were not received`]
    if (!isSame(received[index], event))
      wrong.push(`received ${JSON.stringify(received[index])}, not ${JSON.stringify(event)}`)
    if (wrong.length === 5) return wrong
  }
  return received.length > events.length ? [`${received.length - events.length} events too many were received`] : wrong
}

function byId<Item extends { id: number }>(items: readonly Item[], what: string, broken: string[]): Map<number, Item> {
  const found = new Map(items.map((item) => [item.id, item]))
  if (found.size !== items.length) broken.push(`${items.length - found.size} ${what} are listed twice`)
  return found
}

/** Without the times, which a client cannot know beforehand. */
function essence(data: Animal | Order): unknown {
  return 'petId' in data ? { id: data.id, petId: data.petId, status: data.status } : data
}

function isSame(one: unknown, other: unknown): boolean {
  return text(one) === text(other)
}

function text(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'nothing'
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}
