import { type IdempotencyKey, identityOf } from '../idempotency-key.ts'
import type { ApiKey } from '../keys.ts'
import { type CountedTable, type CounterName, forEachResource, type Resource, type ResourceTable } from '../tables.ts'
import { type Change, hasEvent } from './change.ts'
import { maxNewCategoryId } from './create-category.ts'
import type { CountedRows, Facts, StoredResponse } from './facts.ts'

/** The needed resources, the pets of needed orders, and the open orders of needed pets. */
export type LoadedResources = { readonly [Table in ResourceTable]?: readonly Resource<Table>[] }

/** All facts that the rules need, loaded before the first decision. Anything else does not exist. */
export interface Loaded extends LoadedResources {
  /** Whether a resource was looked for. Then one that was not is a fault of the rule, which does not name its needs. */
  isNeeded?: (table: ResourceTable, id: bigint) => boolean
  /** How many pets each category has that is asked for. */
  petCounts?: readonly { categoryId: bigint; pets: bigint }[]
  highestCategoryId?: bigint | undefined
  oldestEventId?: bigint | undefined
  /** Those of the needed pets that were changed or ordered since they were added. */
  changedPets?: readonly bigint[]
  rowCounts?: Partial<Record<CountedRows, number>>
  /** The requested API keys, those that replaced them, and all admin keys that are not revoked. */
  keys?: readonly ApiKey[]
  responses?: readonly { key: Pick<IdempotencyKey, 'keyId' | 'name'>; response: StoredResponse }[]
  /** The highest ids ever assigned. */
  lastIds?: Partial<Record<CounterName, bigint>>
}

/** Facts in memory. Each decision sees the changes applied before. */
export interface LoadedFacts extends Facts {
  apply(change: Change): void
}

export function loadedFacts(loaded: Loaded): LoadedFacts {
  const { orders = [], isNeeded, petCounts = [], keys = [], responses = [] } = loaded
  const itemsOf = forEachResource(
    (table) => new Map<bigint, unknown>((loaded[table] ?? []).map((item) => [item.id, item])),
  )
  const orderedPets = new Set(orders.filter(({ status }) => status === 'placed').map(({ petId }) => petId))
  const keyById = new Map(keys.map((key) => [key.id, key]))
  const responseByKey = new Map(responses.map(({ key, response }) => [identityOf(key), response]))
  const petCountById = new Map(petCounts.map((count) => [count.categoryId, count.pets]))
  const lastIds: Partial<Record<ResourceTable, bigint>> = { ...loaded.lastIds }
  const rowCounts: Partial<Record<ResourceTable, number>> = { ...loaded.rowCounts }
  const changedPets = new Set(loaded.changedPets)
  let lastEventId = loaded.lastIds?.events ?? 0n
  let { highestCategoryId } = loaded

  function put<Table extends ResourceTable>(table: Table, item: Resource<Table>): void {
    itemsOf[table].set(item.id, item)
    if (item.id > (lastIds[table] ?? 0n)) lastIds[table] = item.id
  }

  function count(categoryId: bigint, by: 1n | -1n): void {
    const pets = petCountById.get(categoryId)
    if (pets !== undefined) petCountById.set(categoryId, pets + by)
    // One that loses a pet was in use before.
    useCategory(categoryId)
  }

  function countRow(table: ResourceTable, by: 1 | -1): void {
    const rows = rowCounts[table]
    if (rows !== undefined) rowCounts[table] = rows + by
  }

  /** An id that is not in use any more may stay the highest: the next is free all the same. */
  function useCategory(id: bigint): void {
    if (id <= maxNewCategoryId && (highestCategoryId === undefined || id > highestCategoryId)) highestCategoryId = id
  }

  function apply(change: Change): void {
    if (hasEvent(change)) {
      lastEventId++
      if (change.type !== 'pet.created') changedPets.add('pet' in change ? change.pet.id : change.order.petId)
    }
    switch (change.type) {
      case 'pet.created':
        put('pets', change.pet)
        count(change.pet.categoryId, 1n)
        break
      case 'pet.updated':
        put('pets', change.pet)
        count(change.before.categoryId, -1n)
        count(change.pet.categoryId, 1n)
        break
      case 'pet.deleted':
        itemsOf.pets.delete(change.pet.id)
        count(change.pet.categoryId, -1n)
        break
      case 'order.placed':
        put('orders', change.order)
        orderedPets.add(change.order.petId)
        break
      case 'order.completed':
      case 'order.cancelled':
        put('orders', change.order)
        orderedPets.delete(change.order.petId)
        break
      case 'order.described':
        put('orders', change.order)
        break
      case 'resource.put':
        if (!itemsOf[change.table].has(change.item.id)) countRow(change.table, 1)
        put(change.table, change.item)
        if (change.table === 'categories') useCategory(change.item.id)
        break
      case 'resource.removed':
        if (itemsOf[change.table].delete(change.id)) countRow(change.table, -1)
        break
      case 'key.created': {
        const { hash: _hash, ...key } = change.key
        keyById.set(key.id, key)
        break
      }
      case 'key.changed':
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
    find<Table extends ResourceTable>(table: Table, id: bigint) {
      const item = itemsOf[table].get(id) as Resource<Table> | undefined
      if (item === undefined && isNeeded?.(table, id) === false) {
        throw new Error(`A rule asks for ${id} of ${table}, which is not among its needs.`)
      }
      return item
    },
    lastEventId: () => lastEventId,
    oldestEventId: () => loaded.oldestEventId ?? lastEventId + 1n,
    isChanged: (petId) => changedPets.has(petId),
    countRows(table) {
      const rows = rowCounts[table]
      if (rows === undefined) throw new Error(`A rule counts ${table}, which is not among its needs.`)
      return rows
    },
    nextId: (table: CountedTable) => (lastIds[table] ?? 0n) + 1n,
    hasOpenOrder: (petId) => orderedPets.has(petId),
    hasPets: (categoryId) => (petCountById.get(categoryId) ?? 0n) > 0n,
    highestCategoryId: () => highestCategoryId,
    key: (id) => keyById.get(id),
    adminKeys: () =>
      [...keyById.values()].filter(({ permission, revokedAt }) => permission === 'admin' && revokedAt === undefined),
    storedResponse: (key) => responseByKey.get(identityOf(key)),
  }
}
