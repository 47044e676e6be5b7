import { type Animal, type Anomaly, type Call, type FeedEvent, numberOf, type Order } from './history.ts'

/** The shop after some events. */
export interface ShopState {
  animals: Map<number, Animal>
  orders: Map<number, Order>
  /** What happened on each day that had events. */
  days: Map<string, Day>
}

export type Day = Record<'added' | 'removed' | 'ordered' | 'completed' | 'cancelled', number>

const noDay: Day = { added: 0, removed: 0, ordered: 0, completed: 0, cancelled: 0 }

const countedAs: Record<string, keyof Day> = {
  'petstore.pet.created': 'added',
  'petstore.pet.deleted': 'removed',
  'petstore.order.placed': 'ordered',
  'petstore.order.completed': 'completed',
  'petstore.order.cancelled': 'cancelled',
}

export function emptyShop(): ShopState {
  return { animals: new Map(), orders: new Map(), days: new Map() }
}

/** Between two stored states. */
const step = 64

/** Every state that the shop had, by the number of events before it. */
export class Feed {
  readonly events: readonly FeedEvent[]
  /** The state after all events. */
  readonly last: ShopState
  readonly #stored: ShopState[] = []

  constructor(events: readonly FeedEvent[]) {
    this.events = events
    const state = emptyShop()
    for (const [index, event] of events.entries()) {
      if (index % step === 0) this.#stored.push(copyOf(state))
      apply(state, event)
    }
    if (events.length % step === 0) this.#stored.push(state)
    this.last = state
  }

  /** Whether a request wrote the events on both sides: nobody may see the state between them. */
  #isTorn(position: number): boolean {
    const [before, after] = [this.events[position - 1], this.events[position]]
    return after?.requestid !== undefined && before?.requestid === after.requestid
  }

  /** Undefined if nobody may see it. */
  stateAt(position: number): ShopState | undefined {
    const [found] = this.states(position, position)
    return found?.[1]
  }

  /** The states after `from` events, after one more, and so on, up to `to`. Each is valid until the next one is taken. */
  *states(from: number, to: number): Generator<[number, ShopState]> {
    const base = Math.floor(from / step)
    const state = copyOf(this.#stored[base] ?? emptyShop())
    for (let position = base * step; position <= to; position++) {
      if (position >= from && !this.#isTorn(position)) yield [position, state]
      const event = this.events[position]
      if (event !== undefined) apply(state, event)
    }
  }
}

function copyOf({ animals, orders, days }: ShopState): ShopState {
  return { animals: new Map(animals), orders: new Map(orders), days: new Map(days) }
}

export function apply({ animals, orders, days }: ShopState, { type, data, time }: FeedEvent): void {
  const [date, counted] = [time.slice(0, 'YYYY-MM-DD'.length), countedAs[type]]
  const day = days.get(date) ?? noDay
  if (counted !== undefined) days.set(date, { ...day, [counted]: day[counted] + 1 })
  if (type === 'petstore.pet.deleted') animals.delete(data.id)
  else if (type.startsWith('petstore.pet.')) animals.set(data.id, data as Animal)
  else orders.set(data.id, data as Order)
}

/** What no shop that follows the rules could write. */
export function checkRules(events: readonly FeedEvent[]): Anomaly[] {
  const wrong: Anomaly[] = []
  const state = emptyShop()
  const used = new Set<number>()
  for (const [index, event] of events.entries()) {
    const problem = numberOf(event) === index + 1 ? problemOf(event, events[index - 1], state, used) : 'is out of order'
    if (problem !== undefined) wrong.push({ rule: `event ${event.id} ${problem}: ${JSON.stringify(event)}`, calls: [] })
    apply(state, event)
    if (event.type === 'petstore.pet.created') used.add(event.data.id)
  }
  return wrong
}

function problemOf(
  { type, data, requestid }: FeedEvent,
  before: FeedEvent | undefined,
  { animals, orders }: ShopState,
  used: Set<number>,
): string | undefined {
  const animal = animals.get(data.id)
  switch (type) {
    case 'petstore.pet.created':
      return used.has(data.id) ? 'gives an id again' : undefined
    case 'petstore.pet.updated':
      return animal === undefined ? 'changes an animal that is not there' : undefined
    case 'petstore.pet.deleted':
      if ([...orders.values()].some(({ petId, status }) => petId === data.id && status === 'placed'))
        return 'removes an animal with an open order'
      return JSON.stringify(animal) === JSON.stringify(data) ? undefined : 'removes an animal that is not as it says'
  }
  const { petId, status } = data as Order
  if (before?.requestid !== requestid || before?.data.id !== petId) return 'has no change of its animal before it'
  const after = { placed: 'pending', completed: 'sold', cancelled: 'available' }[status]
  if ((before.data as Animal).status !== after) return 'leaves its animal with another status'
  if (status === 'placed') return orders.has(data.id) ? 'places an order twice' : undefined
  return orders.get(data.id)?.status === 'placed' ? undefined : 'closes an order that is not open'
}

/** The events of each request, by its id. */
export function eventsByRequest(events: readonly FeedEvent[]): Map<string, FeedEvent[]> {
  return Map.groupBy(events, ({ requestid = '' }) => requestid)
}

export function eventsOf({ id }: Call, byRequest: Map<string, FeedEvent[]>): FeedEvent[] {
  return byRequest.get(id) ?? []
}
