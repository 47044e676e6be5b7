import { type Int64, isPetStoreError, type Order, type OrderStatus, type Page } from '../../client/src/index.ts'
import { newIdempotencyKey } from '../api/idempotency-key.ts'
import { service } from '../api/service.ts'
import { tell } from './feed.ts'
import { expectingStatus } from './own-changes.ts'
import { pageSize, statusAfter } from './pets.ts'
import { createSessionStore } from './store.ts'

export type OrderEnd = 'completed' | 'cancelled'

/** A page of orders, the newest first. */
export function readOrders(
  query: { status?: OrderStatus | undefined; cursor?: string | undefined },
  signal: AbortSignal,
): Promise<Page<Order>> {
  return service()
    .orders.list({ ...query, sort: '-id', limit: pageSize }, { signal })
    .page()
}

/** The open order for an animal, if it has one. */
export async function openOrderFor(petId: Int64, signal: AbortSignal): Promise<Order | undefined> {
  const { items } = await service().orders.list({ petId, status: 'placed', limit: 1 }, { signal }).page()
  return items[0]
}

/** Idempotency keys of orders whose response was lost, by animal: a retry finds the same order. */
const unanswered = createSessionStore<ReadonlyMap<string, string>>(new Map())

export async function placeOrder(petId: Int64): Promise<Order> {
  const { orders } = service()
  const lostKey = unanswered.get().get(String(petId))
  const idempotencyKey = lostKey ?? newIdempotencyKey()
  unanswered.set(new Map(unanswered.get()).set(String(petId), idempotencyKey))
  const placed = await expectingStatus(petId, 'pending', () => orders.place({ petId }, { idempotencyKey }))
  const remaining = new Map(unanswered.get())
  remaining.delete(String(petId))
  unanswered.set(remaining)
  // The service replays the first response: the order may have ended since.
  const order = lostKey === undefined ? placed : await orders.get(placed.id)
  if (order.status !== 'placed') return placeOrder(petId)
  tell({ type: 'petstore.order.placed', data: order })
  return order
}

export async function endOrder(order: Order, end: OrderEnd): Promise<void> {
  const { orders } = service()
  const ended = await expectingStatus(order.petId, statusAfter[end], async () => {
    try {
      return await (end === 'completed' ? orders.complete(order.id) : orders.cancel(order.id))
    } catch (error) {
      // An earlier attempt may have ended it, and its response was lost.
      if (!isPetStoreError(error, 'conflict') || !error.mayHaveSucceeded) throw error
      const now = await orders.get(order.id)
      if (now.status !== end) throw error
      return now
    }
  })
  tell({ type: `petstore.order.${end}`, data: ended })
}
