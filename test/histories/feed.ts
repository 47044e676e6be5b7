import type { Animal, Anomaly, Call, FeedEvent, Order } from './history.ts'

/** The shop after some events. */
export interface ShopState {
  animals: Map<number, Animal>
  orders: Map<number, Order>
}

/** Between two stored states. */
const step = 64

/** Every state that the shop had, by the number of events before it. */
export class Feed {
  readonly events: readonly FeedEvent[]
  readonly #stored: ShopState[] = []

  constructor(events: readonly FeedEvent[]) {
    this.events = events
    const state: ShopState = { animals: new Map(), orders: new Map() }
    for (const [index, event] of events.entries()) {
      if (index % step === 0) this.#stored.push(copyOf(state))
      apply(state, event)
    }
    if (events.length % step === 0) this.#stored.push(state)
  }

  /** Whether a request wrote the events on both sides: nobody may see the state between them. */
  #isTorn(position: number): boolean {
    const requestId = this.events[position]?.requestid
    return requestId !== undefined && this.events[position - 1]?.requestid === requestId
  }

  /** The states after `from` events, after one more, and so on, up to `to`. Each is valid until the next one is taken. */
  *states(from: number, to: number): Generator<[number, ShopState]> {
    const base = Math.floor(from / step)
    const state = copyOf(this.#stored[base] ?? { animals: new Map(), orders: new Map() })
    for (let position = base * step; position <= to; position++) {
      if (position >= from && !this.#isTorn(position)) yield [position, state]
      const event = this.events[position]
      if (event !== undefined) apply(state, event)
    }
  }

  last(): ShopState {
    const [[, state] = [0, { animals: new Map(), orders: new Map() }]] = this.states(
      this.events.length,
      this.events.length,
    )
    return state
  }
}

function copyOf({ animals, orders }: ShopState): ShopState {
  return { animals: new Map(animals), orders: new Map(orders) }
}

function apply({ animals, orders }: ShopState, { type, data }: FeedEvent): void {
  if (type === 'petstore.pet.deleted') animals.delete(data.id)
  else if (type.startsWith('petstore.pet.')) animals.set(data.id, data as Animal)
  else orders.set(data.id, data as Order)
}

/** What no shop that follows the rules could write. */
export function checkRules(events: readonly FeedEvent[]): Anomaly[] {
  const wrong: Anomaly[] = []
  const state: ShopState = { animals: new Map(), orders: new Map() }
  const used = new Set<number>()
  for (const [index, event] of events.entries()) {
    const problem =
      Number(event.id) === index + 1 ? problemOf(event, events[index - 1], state, used) : 'is out of order'
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

/** The number of events after the write, or undefined if the feed does not have it. */
export function positionOf({ id }: Call, byRequest: Map<string, FeedEvent[]>): number | undefined {
  const last = byRequest.get(id)?.at(-1)
  return last && Number(last.id)
}
