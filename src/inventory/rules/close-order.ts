import { encodeOrder } from '../../contract/json.ts'
import type { Order, OrderChange } from '../../contract/order.ts'
import type { Pet, PetStatus } from '../../contract/pet.ts'
import type { OrderUpdate } from '../orders.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'

export interface CloseOrder {
  id: bigint
  status: OrderChange['status']
  precondition?: Precondition
  at: number
}

/** The status of the pet after its order is closed. */
const petStatusAfter: Record<CloseOrder['status'], PetStatus> = { completed: 'sold', cancelled: 'available' }

/** An order is closed once. */
export function closeOrder(facts: Facts, { id, status, precondition, at }: CloseOrder): Decision<OrderUpdate> {
  const before = facts.order(id)
  if (before === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodeOrder(before))) return unchanged({ outcome: 'unmet' })
  if (before.status !== 'placed') return unchanged({ outcome: 'closed', order: before })
  const order: Order = { ...before, status, updatedAt: new Date(at).toISOString() }
  // It exists: a pet with an open order cannot be removed.
  const pet = facts.pet(order.petId) as Pet
  return changed({ outcome: 'updated', order }, [
    { type: 'pet.updated', before: pet, pet: { ...pet, status: petStatusAfter[status] }, at },
    { type: `order.${status}`, order, at },
  ])
}
