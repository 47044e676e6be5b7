import { type Exchange, jsonOf, type ShopRequest } from './exchange.ts'
import { int64Of, type Json, member } from './json.ts'
import { closeOrders, closeOrdersOf, removeOthers } from './other-cleanup.ts'
import { itemsOf, maxPages } from './pages.ts'
import type { Shop } from './shop.ts'

export interface Cleanup {
  removed: number
  /** Ids of animals that this run added and that are still there. */
  left: string[]
  /** Ids of orders and keys that this run made. They cannot be removed: orders are closed, keys revoked. */
  orders: string[]
  keys: string[]
  /** Sentences about what could not be done. */
  notes: string[]
}

/** Requests without a response, one after another, after which cleaning ends. */
const maxFaults = 3
/** Refused deletes, one after another, after which the shop has none. */
const maxRefusals = 3
/** Animals that are read at the same time. */
const readTogether = 8
/** Times that the lists are searched for animals whose ids are not known. */
const maxRounds = 10

/**
 * Removes the animals that this run added, as far as the shop can delete. An animal is removed only after the shop has
 * shown it with a mark of this run, never if it was there before the first create: a wrong response must not cost
 * somebody else's animal.
 */
export async function cleanUp(shop: Shop): Promise<Cleanup> {
  const result: Cleanup = { removed: 0, left: [], orders: [], keys: [], notes: [] }
  shop.startCleaning()
  // A shop that never responded shows no animal that could be removed.
  const hasAdded = shop.createdIds.size > 0 || shop.lostCreates > 0 || shop.others.size > 0
  if (!hasAdded || !shop.hasResponded) return result
  let faults = 0
  let refusals = 0
  const watch = (exchange: Exchange): Exchange => {
    faults = shop.hasEnded ? maxFaults : exchange.response === undefined ? faults + 1 : 0
    return exchange
  }
  const ours = new Set<bigint>()
  const tried = new Set<bigint>()
  const reads: Exchange[] = []
  const unconfirmed = without(shop.createdIds, shop.deletedIds)
  const accept = (id: bigint): void => {
    unconfirmed.delete(id)
    ours.add(id)
  }

  result.orders.push(...(await closeOrders(shop, watch)))
  const createdIds = [...shop.createdIds]
  for (let start = 0; start < createdIds.length; start += readTogether) {
    if (faults >= maxFaults) break
    reads.push(...(await shop.sendTogether(createdIds.slice(start, start + readTogether).map(getOf))).map(watch))
  }
  for (const [index, got] of reads.entries()) {
    const id = createdIds[index] as bigint
    const pet = got.response?.status === 200 ? readFound(got) : undefined
    // By the contract no animal is without a name: this one came of a create that should have been refused.
    const isNameless = shop.unmarkedIds.has(id) && pet !== undefined && (pet.name ?? '') === ''
    if (pet?.id === id && !shop.foreignIds.has(id) && (isNameless || isOurs(pet, shop))) accept(id)
  }
  let isLooking = unconfirmed.size > 0 || shop.lostCreates > 0
  for (let round = 0; round < maxRounds; round++) {
    const removedBefore = result.removed
    if (isLooking) {
      const found = new Set<bigint>()
      for await (const pet of search(shop, watch, () => faults >= maxFaults))
        if (pet.id !== undefined && !shop.foreignIds.has(pet.id) && isOurs(pet, shop)) found.add(pet.id)
      // A create adds one animal. If there are more, the shop shows others with the mark too.
      isLooking = new Set([...ours, ...found]).size <= shop.creates
      if (isLooking) for (const id of found) accept(id)
      else result.notes.push('The shop shows the mark of this run on animals of others, which were not touched.')
    }
    for (const id of without(ours, tried)) {
      tried.add(id)
      const isOver = refusals >= maxRefusals || faults >= maxFaults
      let gone = isOver ? undefined : watch(await remove(shop, id))
      if (gone?.response?.status === 409) {
        const orders = await closeOrdersOf(shop, id, watch)
        result.orders.push(...orders.filter((order) => !result.orders.includes(order)))
        if (orders.length > 0) gone = watch(await remove(shop, id))
      }
      const status = gone?.response?.status ?? 0
      if (status >= 200 && status < 300) result.removed++
      else result.left.push(String(id))
      if ([404, 405, 501].includes(status) && result.removed === 0) refusals++
    }
    // Lists have at most 100 animals: the others are seen when these are gone.
    if (!isLooking || result.removed === removedBefore) break
  }
  if (faults < maxFaults) {
    const { keys, notes } = await removeOthers(shop, watch)
    result.keys.push(...keys)
    result.notes.push(...notes)
  }
  if (refusals > 0 && result.removed === 0)
    result.notes.push('The shop has no DELETE /pets/{petId}, so the animals of this run remain.')
  if (shop.hasEnded) result.notes.push('Removing the animals of this run took too long, and was ended.')
  else if (faults >= maxFaults) result.notes.push('The shop stopped responding while its animals were removed.')
  const ids = [...unconfirmed].join(', ')
  if (ids !== '')
    result.notes.push(
      faults >= maxFaults
        ? `These animals of the run may still be in the shop: ${ids}.`
        : `Creates answered with these ids, but the shop shows no animal of this run there: ${ids}. They were not touched.`,
    )
  return result
}

function without(some: ReadonlySet<bigint>, others: ReadonlySet<bigint>): Set<bigint> {
  return new Set([...some].filter((id) => !others.has(id)))
}

interface Found {
  id?: bigint
  categoryId?: bigint
  name: Json | undefined
}

function readFound({ response }: Exchange): Found | undefined {
  return response === undefined ? undefined : readMembers(jsonOf(response))
}

/** A wrong shop may have stored a name that is no string. */
function readMembers(value: Json | undefined): Found {
  const id = int64Of(member(value, 'id'))
  const categoryId = int64Of(member(value, 'categoryId'))
  return {
    ...(id !== undefined && { id }),
    ...(categoryId !== undefined && { categoryId }),
    name: member(value, 'name'),
  }
}

function isOurs({ name, categoryId }: Found, shop: Shop): boolean {
  return (
    categoryId === shop.markCategory ||
    JSON.stringify(name ?? null)
      .toLowerCase()
      .includes(shop.mark)
  )
}

function getOf(id: bigint): ShopRequest {
  return { method: 'GET', path: `/pets/${id}` }
}

function remove(shop: Shop, id: bigint): Promise<Exchange> {
  return shop.send({ method: 'DELETE', path: `/pets/${id}` })
}

/**
 * Looks for animals whose ids are not known. A shop may know filters beyond the contract, which find them at once; others
 * ignore or refuse these.
 */
async function* search(
  shop: Shop,
  watch: (exchange: Exchange) => Exchange,
  isOver: () => boolean,
): AsyncIterable<Found> {
  const queries = [
    `?limit=100&name=${shop.mark}`,
    `?limit=100&categoryId=${shop.markCategory}`,
    '?limit=100&sort=-id',
    '?limit=100',
    ...['available', 'pending', 'sold'].map((status) => `?limit=100&status=${status}`),
  ]
  for (const query of queries)
    if (!isOver()) for await (const pet of itemsOf(shop, `/pets${query}`, { maxPages, watch })) yield readMembers(pet)
}
