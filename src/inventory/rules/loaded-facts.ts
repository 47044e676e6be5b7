import type { Category } from '../../contract/category.ts'
import type { Order } from '../../contract/order.ts'
import type { Pet } from '../../contract/pet.ts'
import { type IdempotencyKey, identityOf } from '../idempotency-key.ts'
import type { ApiKey } from '../keys.ts'
import type { Change } from './change.ts'
import { maxNewCategoryId } from './create-category.ts'
import type { Facts, StoredResponse } from './facts.ts'

/** All facts that the rules need, loaded before the first decision. Anything else does not exist. */
export interface Loaded {
  pets?: readonly Pet[]
  /** The requested orders, and the open orders of all requested pets. */
  orders?: readonly Order[]
  categories?: readonly Category[]
  /** How many pets each category has that is asked for. */
  petCounts?: readonly { categoryId: bigint; pets: bigint }[]
  highestCategoryId?: bigint | undefined
  /** The requested API keys, and all admin keys that are not revoked. */
  keys?: readonly ApiKey[]
  responses?: readonly { key: Pick<IdempotencyKey, 'keyId' | 'name'>; response: StoredResponse }[]
  lastPetId?: bigint
  lastOrderId?: bigint
}

/** Facts in memory. Each decision sees the changes applied before. */
export interface LoadedFacts extends Facts {
  apply(change: Change): void
}

export function loadedFacts(loaded: Loaded): LoadedFacts {
  const { pets = [], orders = [], categories = [], petCounts = [], keys = [], responses = [] } = loaded
  const { lastPetId = 0n, lastOrderId = 0n } = loaded
  const petById = new Map(pets.map((pet) => [pet.id, pet]))
  const orderById = new Map(orders.map((order) => [order.id, order]))
  const orderedPets = new Set(orders.filter(({ status }) => status === 'placed').map(({ petId }) => petId))
  const categoryById = new Map(categories.map((category) => [category.id, category]))
  const keyById = new Map(keys.map((key) => [key.id, key]))
  const responseByKey = new Map(responses.map(({ key, response }) => [identityOf(key), response]))
  const petCountById = new Map(petCounts.map((count) => [count.categoryId, count.pets]))
  let { highestCategoryId } = loaded
  let nextPetId = lastPetId + 1n
  let nextOrderId = lastOrderId + 1n

  function count(categoryId: bigint, by: 1n | -1n): void {
    const pets = petCountById.get(categoryId)
    if (pets !== undefined) petCountById.set(categoryId, pets + by)
    if (by === 1n) useCategory(categoryId)
  }

  /** An id that is not in use any more may stay the highest: the next is free all the same. */
  function useCategory(id: bigint): void {
    if (id <= maxNewCategoryId && (highestCategoryId === undefined || id > highestCategoryId)) highestCategoryId = id
  }

  function apply(change: Change): void {
    switch (change.type) {
      case 'pet.created':
        nextPetId = change.pet.id + 1n
        petById.set(change.pet.id, change.pet)
        count(change.pet.categoryId, 1n)
        break
      case 'pet.updated':
        petById.set(change.pet.id, change.pet)
        count(change.before.categoryId, -1n)
        count(change.pet.categoryId, 1n)
        break
      case 'pet.deleted':
        petById.delete(change.pet.id)
        count(change.pet.categoryId, -1n)
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
        useCategory(change.category.id)
        break
      case 'category.removed':
        categoryById.delete(change.id)
        break
      case 'key.created': {
        const { hash: _hash, ...key } = change.key
        keyById.set(key.id, key)
        break
      }
      case 'key.ended':
        keyById.set(change.key.id, change.key)
        break
      case 'response.stored': {
        const { key, body, at } = change
        responseByKey.set(identityOf(key), { fingerprint: key.fingerprint, body, at })
      }
    }
  }

  return {
    apply,
    pet: (id) => petById.get(id),
    order: (id) => orderById.get(id),
    category: (id) => categoryById.get(id),
    hasOpenOrder: (petId) => orderedPets.has(petId),
    hasPets: (categoryId) => (petCountById.get(categoryId) ?? 0n) > 0n,
    highestCategoryId: () => highestCategoryId,
    key: (id) => keyById.get(id),
    adminKeys: () =>
      [...keyById.values()].filter(({ permission, revokedAt }) => permission === 'admin' && revokedAt === undefined),
    storedResponse: (key) => responseByKey.get(identityOf(key)),
    nextPetId: () => nextPetId,
    nextOrderId: () => nextOrderId,
  }
}
