import {
  CallError,
  type Int64,
  isPetStoreError,
  type ListOrdersQuery,
  type Order,
  type OrderStatus,
  type Page,
  type PetStore,
  type WithEtag,
} from '../../client/src/index.ts'
import { petStatusAfter } from '../../src/contract/pet-status-after.ts'
import { fillPage } from '../api/fill-page.ts'
import { randomId } from '../../client/src/random-id.ts'
import { service } from '../api/service.ts'
import { type Change, isPetChange, publishOwn } from './feed.ts'
import { expectingStatus } from './own-changes.ts'
import { currentPreferences } from './preferences.ts'
import { createSessionStore } from './store.ts'

export const orderStatuses = Object.keys(petStatusAfter) as OrderStatus[]
export type OrderEnd = Exclude<OrderStatus, 'placed'>

/** What staff wrote about an order. */
export interface OrderTexts {
  customer: string | undefined
  note: string | undefined
}

export function textsOf({ customer, note }: Order): OrderTexts {
  return { customer, note }
}

/** The texts that differ, as they are after it. */
export function textChange(before: Partial<OrderTexts>, after: OrderTexts): Partial<OrderTexts> {
  return {
    ...(after.customer !== before.customer && { customer: after.customer }),
    ...(after.note !== before.note && { note: after.note }),
  }
}

export function isSameTexts(one: Partial<OrderTexts>, other: Partial<OrderTexts>): boolean {
  return one.customer === other.customer && one.note === other.note
}

export type OrderSort = NonNullable<ListOrdersQuery['sort']>

/** Who waits longest comes first; of what is done, the latest. */
export function sortOf(status: OrderStatus | undefined): OrderSort {
  return status === 'placed' ? 'id' : '-id'
}

/** A page of orders, of those that are `wanted`. */
export function readOrders(
  { cursor, ...filter }: Omit<ListOrdersQuery, 'limit'>,
  signal: AbortSignal,
  wanted: (order: Order) => boolean = () => true,
): Promise<Page<Order>> {
  return fillPage(
    async ({ signal, ...part }) => {
      const page = await service()
        .orders.list({ ...filter, ...part }, { signal })
        .page()
      return { ...page, items: page.items.filter(wanted) }
    },
    { cursor, limit: currentPreferences().pageSize, signal },
  )
}

/** An order after a change; the same order if the change is of another one, or is not newer. */
export function orderAfter<Known extends Order>(order: Known, change: Change): Known | Order {
  if (isPetChange(change) || String(change.data.id) !== String(order.id)) return order
  return change.data.updatedAt > order.updatedAt ? change.data : order
}

/** The page after a change, before it is read again: an order stays, also if its new status is of another list. */
export function patchOrders(page: Page<Order>, change: Change): Page<Order> {
  const items = page.items.map((order) => orderAfter(order, change))
  return items.every((order, index) => order === page.items[index]) ? page : { ...page, items }
}

/** Orders of a status that are counted: the service has no total. */
export const maxCounted = 100

/** The number of orders on a page of `maxCounted`; `100+` if there are more. */
export function countOf({ items, cursor }: Page<Order>): string {
  return `${items.length}${cursor === undefined ? '' : '+'}`
}

/** How many orders have each status, as far as they are counted: `100+`. */
export async function countOrders(signal: AbortSignal): Promise<Record<OrderStatus, string>> {
  const counts = orderStatuses.map(async (status) => {
    return [status, countOf(await service().orders.list({ status, limit: maxCounted }, { signal }).page())]
  })
  return Object.fromEntries(await Promise.all(counts)) as Record<OrderStatus, string>
}

/** The newest orders of an animal. An open one is the first: while it is open, no other can be placed. */
export function ordersOf(petId: Int64, limit: number, signal: AbortSignal): Promise<Page<Order>> {
  return service().orders.list({ petId, sort: '-id', limit }, { signal }).page()
}

interface Attempt {
  idempotencyKey: string
  texts: OrderTexts
}

/** Attempts whose response is not known, by animal: a retry finds the same order. */
const unanswered = createSessionStore<ReadonlyMap<string, Attempt>>(new Map())

function forgetAttempt(petId: Int64): void {
  unanswered.set(new Map([...unanswered.get()].filter(([id]) => id !== String(petId))))
}

export async function placeOrder(petId: Int64, texts: OrderTexts): Promise<Order> {
  const client = service()
  const { orders } = client
  const lost = unanswered.get().get(String(petId))
  const attempt = lost ?? { idempotencyKey: randomId(), texts }
  const { idempotencyKey } = attempt
  unanswered.set(new Map(unanswered.get()).set(String(petId), attempt))
  const placed = await expectingStatus(petId, petStatusAfter.placed, async () => {
    try {
      return await orders.place({ petId, ...attempt.texts }, { idempotencyKey })
    } catch (error) {
      if (lost === undefined && error instanceof CallError && !error.mayHaveSucceeded) forgetAttempt(petId)
      throw error
    }
  })
  // The service replays the first response: the order may have ended since, or other texts are wanted now.
  let order = lost === undefined ? placed : await orders.get(placed.id)
  const isOpen = order.status === 'placed'
  if (isOpen && !isSameTexts(order, texts)) order = await updateTexts(client, order, texts)
  forgetAttempt(petId)
  if (!isOpen) return placeOrder(petId, texts)
  publishOwn(client, { type: 'petstore.order.placed', data: order })
  return order
}

export function readOrder(id: Int64): Promise<WithEtag<Order>> {
  return service().orders.get(id)
}

/** Changes the texts if the order is unchanged since `seen`; otherwise rejects with `precondition_failed`. */
export async function changeOrderTexts(seen: WithEtag<Order>, texts: OrderTexts): Promise<void> {
  const client = service()
  const changed = await updateTexts(client, seen, texts)
  // The service reports no event about it. Told as one, so that lists are read again.
  publishOwn(client, { type: `petstore.order.${changed.status}`, data: changed })
}

function updateTexts(
  client: PetStore,
  seen: WithEtag<Order>,
  { customer, note }: OrderTexts,
): Promise<WithEtag<Order>> {
  return client.orders.update(seen.id, { customer: customer ?? null, note: note ?? null }, { ifMatch: seen })
}

export async function endOrder(order: Order, end: OrderEnd, client = service()): Promise<void> {
  const { orders } = client
  const ended = await expectingStatus(order.petId, petStatusAfter[end], async () => {
    try {
      return await (end === 'completed' ? orders.complete(order.id) : orders.cancel(order.id))
    } catch (error) {
      // An earlier attempt may have ended it, and its response was lost.
      if (!isPetStoreError(error, 'conflict')) throw error
      const now = await orders.get(order.id)
      if (now.status !== end) throw error
      return now
    }
  })
  publishOwn(client, { type: `petstore.order.${end}`, data: ended })
}
