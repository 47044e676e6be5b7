import type { Animal, Call, FeedEvent } from './history.ts'
import type { Model } from './linearizable.ts'

/** What a call says about an animal. */
export interface AboutAnimal {
  animalId: number
  call: Call
  /** What a bulk change or an import did to it. */
  event?: FeedEvent
}

/** One animal and its orders. */
export interface AnimalState {
  animal?: Animal
  /** The status of each of its orders, by id. */
  orders: Record<number, string>
}

/** One animal as a register: what each answer about it says must be true at one moment of its call. */
export const animalModel: Model<AnimalState, AboutAnimal> = {
  initial: { orders: {} },
  keyOf: (state) => JSON.stringify([state.animal, state.orders]),
  step(state, { call, event }) {
    if (event !== undefined) return oneOfMany(state, call, event)
    return call.answer === undefined ? maybe(state, call) : told(state, call)
  },
}

function oneOfMany(state: AnimalState, { ask }: Call, { type, data }: FeedEvent): AnimalState | undefined {
  const { animal } = state
  if (ask.kind === 'import') return animal === undefined ? { ...state, animal: data as Animal } : undefined
  if (ask.kind === 'undo')
    return animal !== undefined && isSame(animal, data) && !hasOpenOrder(state) ? withoutAnimal(state) : undefined
  if (ask.kind !== 'bulk' || animal === undefined) return undefined
  const after: Animal | undefined = ask.change === 'delete' ? undefined : { ...animal, ...ask.change }
  if (after?.status !== animal.status && hasOpenOrder(state)) return undefined
  if (after === undefined) return type === 'petstore.pet.deleted' ? withoutAnimal(state) : undefined
  return isSame(after, data) ? { ...state, animal: after } : undefined
}

/** What a call does that has no answer. A create or an order has one: its id is known from elsewhere. */
function maybe(state: AnimalState, { ask }: Call): AnimalState | undefined {
  const { animal } = state
  if (animal === undefined) return undefined
  switch (ask.kind) {
    case 'rename':
      return { ...state, animal: { ...animal, name: ask.name } }
    case 'remove':
      return hasOpenOrder(state) ? undefined : withoutAnimal(state)
    case 'close':
      return state.orders[ask.orderId] === 'placed' ? closed(state, animal, ask.orderId, ask.status) : undefined
    default:
      return undefined
  }
}

function told(state: AnimalState, { ask, answer }: Call): AnimalState | undefined {
  const { animal } = state
  const { status = 0, body } = answer ?? {}
  if (status === 404 && (ask.kind === 'get' || ask.kind === 'rename' || ask.kind === 'remove'))
    return animal === undefined ? state : undefined
  switch (ask.kind) {
    case 'create':
      return animal === undefined ? { ...state, animal: body as Animal } : undefined
    case 'get':
      return animal !== undefined && (status === 304 || isSame(animal, body)) ? state : undefined
    case 'rename': {
      if (animal === undefined) return undefined
      if (status === 412) return state
      const renamed = { ...animal, name: ask.name }
      return isSame(renamed, body) ? { ...state, animal: renamed } : undefined
    }
    case 'remove':
      if (animal === undefined) return undefined
      if (status === 412) return state
      return (status === 409) === hasOpenOrder(state) ? (status === 409 ? state : withoutAnimal(state)) : undefined
    case 'order':
      if (status === 409) return animal?.status === 'available' ? undefined : state
      if (animal?.status !== 'available') return undefined
      return {
        ...state,
        animal: { ...animal, status: 'pending' },
        orders: { ...state.orders, [(body as { id: number }).id]: 'placed' },
      }
    case 'close': {
      const order = state.orders[ask.orderId]
      if (status === 404) return order === undefined ? state : undefined
      if (status === 409) return order === undefined || order === 'placed' ? undefined : state
      return order === 'placed' && animal !== undefined ? closed(state, animal, ask.orderId, ask.status) : undefined
    }
    default:
      return state
  }
}

function closed(state: AnimalState, animal: Animal, orderId: number, status: string): AnimalState {
  return {
    ...state,
    animal: { ...animal, status: status === 'completed' ? 'sold' : 'available' },
    orders: { ...state.orders, [orderId]: status },
  }
}

function hasOpenOrder({ orders }: AnimalState): boolean {
  return Object.values(orders).includes('placed')
}

function withoutAnimal({ orders }: AnimalState): AnimalState {
  return { orders }
}

function isSame(animal: Animal, body: unknown): boolean {
  return JSON.stringify(animal) === JSON.stringify(body)
}
