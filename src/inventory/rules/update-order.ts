import { encodeOrder, type Order, type OrderChange } from '../../contract/order.ts'
import type { Pet } from '../../contract/pet.ts'
import { petStatusAfter } from '../../contract/pet-status-after.ts'
import type { OrderUpdate } from '../orders.ts'
import { isMet, type Precondition } from '../precondition.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { withChange } from './change.ts'

export interface UpdateOrder {
  id: bigint
  change: OrderChange
  precondition?: Precondition | undefined
  at: number
  author?: string | undefined
}

/** An order is closed once. Its texts can be corrected at any time: a mistake is often seen after the sale. */
export function updateOrder(facts: Facts, command: UpdateOrder): Decision<OrderUpdate> {
  const { id, change, precondition, at, author } = command
  const before = facts.find('orders', id)
  if (before === undefined) return unchanged({ outcome: 'missing' })
  if (!isMet(precondition, encodeOrder(before))) return unchanged({ outcome: 'unmet' })
  const { status, ...texts } = change
  const described = withChange(before, texts)
  if (status === undefined) {
    const outcome = { outcome: 'updated', order: described } as const
    if (encodeOrder(described) === encodeOrder(before)) return unchanged(outcome)
    return changed(outcome, [{ type: 'order.described', order: described }])
  }
  if (before.status !== 'placed') return unchanged({ outcome: 'closed', order: before })
  const order: Order = { ...described, status, updatedAt: new Date(at).toISOString() }
  // It exists: a pet with an open order cannot be removed.
  const pet = facts.find('pets', order.petId) as Pet
  return changed({ outcome: 'updated', order }, [
    { type: 'pet.updated', before: pet, pet: { ...pet, status: petStatusAfter[status] }, at, author },
    { type: `order.${status}`, order, at, author },
  ])
}
