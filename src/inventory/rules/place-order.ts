import { decodeOrder, encodeOrder, type NewOrder, type Order } from '../../contract/order.ts'
import { petStatusAfter } from '../../contract/pet-status-after.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import type { Placement } from '../orders.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { replayOf, storeResponse } from './idempotency.ts'

export interface PlaceOrder {
  order: NewOrder
  idempotencyKey?: IdempotencyKey | undefined
  at: number
  author?: string | undefined
}

/** A pet may be ordered while it is available. Its order makes it pending. */
export function placeOrder(facts: Facts, command: PlaceOrder): Decision<Placement> {
  const earlier = replayOf(facts, command, (body) => ({ outcome: 'replayed' as const, order: decodeOrder(body) }))
  if (earlier !== undefined) return unchanged(earlier)

  const { at, author } = command
  const pet = facts.find('pets', command.order.petId)
  if (pet === undefined) return unchanged({ outcome: 'missing' })
  if (pet.status !== 'available') return unchanged({ outcome: 'taken', status: pet.status })
  const order = placedOrder(facts.nextId('orders'), command.order, at)
  return changed({ outcome: 'placed', order }, [
    { type: 'pet.updated', before: pet, pet: { ...pet, status: petStatusAfter.placed }, at, author },
    { type: 'order.placed', order, at, author },
    ...storeResponse(command, () => encodeOrder(order)),
  ])
}

function placedOrder(id: bigint, { petId, ...texts }: NewOrder, at: number): Order {
  const placedAt = new Date(at).toISOString()
  return { id, petId, status: 'placed', placedAt, updatedAt: placedAt, ...texts }
}
