import type { Animal, Order, WireEvent } from './client.ts'

/** An animal, from its creation on, as its one client was told of it. */
export interface Life {
  /** Sent as the Idempotency-Key of the creation, unless it is plain, and with more behind it of the order. */
  readonly key: string
  /** Whether it is created without an Idempotency-Key: the client cannot repeat that. */
  readonly isPlain: boolean
  readonly wanted: Omit<Animal, 'id'>
  /** Whether the client gave up before it was told that the animal exists. It may, once. */
  isAbandoned: boolean
  /** As it was last acknowledged; undefined before its creation and after its removal. */
  animal: Animal | undefined
  order: Order | undefined
  /** What every change that was acknowledged has to have told, in this order. */
  readonly told: Pick<WireEvent, 'type' | 'data'>[]
}

/** What clients were told, to be held against what is there in the end. */
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
        told: [],
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

/** Holds a shop against what clients were told. Every sentence is a broken promise. */
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
    if (id !== String(index + 1)) broken.push(`event ${index + 1} has the id ${id}`)
  })
  const animalsById = byId(animals, 'animals', broken)
  const ordersById = byId(orders, 'orders', broken)

  for (const life of lives) {
    const { name } = life.wanted
    const id = idOf.get(life)
    if (life.told.length > 0 && id === undefined) broken.push(`${name} was acknowledged and is lost`)
    if (id === undefined) continue
    const told = (eventsOf.get(id) ?? []).map(({ type, data }) => ({ type, data: essence(data) }))
    const expected = life.told.map(({ type, data }) => ({ type, data: essence(data) }))
    if (life.isAbandoned) expected.push({ type: 'petstore.pet.created', data: essence({ id, ...life.wanted }) })
    if (!isSame(told, expected)) broken.push(`${name}: the events are ${text(told)} and not ${text(expected)}`)
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

/** What was told against what happened: nothing else, nothing left out, nothing twice, in this order. */
export function differences(told: readonly WireEvent[], events: readonly WireEvent[]): string[] {
  const wrong: string[] = []
  for (const [index, event] of events.entries()) {
    if (told[index] === undefined) return [...wrong, `event ${event.id} and what followed was not told`]
    if (!isSame(told[index], event)) wrong.push(`told was ${JSON.stringify(told[index])}, not ${JSON.stringify(event)}`)
    if (wrong.length === 5) return wrong
  }
  return told.length > events.length ? [`${told.length - events.length} events were told too many`] : wrong
}

function byId<Item extends { id: number }>(items: readonly Item[], what: string, broken: string[]): Map<number, Item> {
  const found = new Map(items.map((item) => [item.id, item]))
  if (found.size !== items.length) broken.push(`${items.length - found.size} ${what} are listed twice`)
  return found
}

/** Without the times, which nobody was told before. */
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
