import type { Category } from '../../contract/category.ts'
import type { Order } from '../../contract/order.ts'
import type { Pet } from '../../contract/pet.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import type { Change } from './change.ts'
import type { Answer, Facts } from './facts.ts'

/** All facts that the rules need, loaded before the first decision. Anything else does not exist. */
export interface Loaded {
  pets?: readonly Pet[]
  /** The requested orders, and the open orders of all requested pets. */
  orders?: readonly Order[]
  categories?: readonly Category[]
  answers?: readonly { key: Pick<IdempotencyKey, 'keyId' | 'name'>; answer: Answer }[]
  lastPetId?: bigint
  lastOrderId?: bigint
}

/** Facts in memory. Each decision sees the changes applied before. */
export interface LoadedFacts extends Facts {
  apply(change: Change): void
}

export function loadedFacts(loaded: Loaded): LoadedFacts {
  const { pets = [], orders = [], categories = [], answers = [], lastPetId = 0n, lastOrderId = 0n } = loaded
  const petById = new Map(pets.map((pet) => [pet.id, pet]))
  const orderById = new Map(orders.map((order) => [order.id, order]))
  const orderedPets = new Set(orders.filter(({ status }) => status === 'placed').map(({ petId }) => petId))
  const categoryById = new Map(categories.map((category) => [category.id, category]))
  const answerByKey = new Map(answers.map(({ key, answer }) => [nameOf(key), answer]))
  let nextPetId = lastPetId + 1n
  let nextOrderId = lastOrderId + 1n

  function apply(change: Change): void {
    switch (change.type) {
      case 'pet.created':
        nextPetId = change.pet.id + 1n
        petById.set(change.pet.id, change.pet)
        break
      case 'pet.updated':
        petById.set(change.pet.id, change.pet)
        break
      case 'pet.deleted':
        petById.delete(change.pet.id)
        break
      case 'order.placed':
        nextOrderId = change.order.id + 1n
        orderById.set(change.order.id, change.order)
        orderedPets.add(change.order.petId)
        break
      case 'order.completed':
      case 'order.cancelled':
        orderById.set(change.order.id, change.order)
        orderedPets.delete(change.order.petId)
        break
      case 'order.described':
        orderById.set(change.order.id, change.order)
        break
      case 'category.put':
        categoryById.set(change.category.id, change.category)
        break
      case 'request.answered': {
        const { key, body, at } = change
        answerByKey.set(nameOf(key), { fingerprint: key.fingerprint, body, at })
      }
    }
  }

  return {
    apply,
    pet: (id) => petById.get(id),
    order: (id) => orderById.get(id),
    category: (id) => categoryById.get(id),
    hasOpenOrder: (petId) => orderedPets.has(petId),
    answerTo: (key) => answerByKey.get(nameOf(key)),
    nextPetId: () => nextPetId,
    nextOrderId: () => nextOrderId,
  }
}

/** Unambiguous: the id of an API key has no space. */
function nameOf({ keyId, name }: Pick<IdempotencyKey, 'keyId' | 'name'>): string {
  return `${keyId} ${name}`
}
