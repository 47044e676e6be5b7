import type { DatabaseSync } from 'node:sqlite'
import { encodeOrder, encodePet, parseJson } from '../../contract/json.ts'
import type { Order } from '../../contract/order.ts'
import type { Pet, PetStatus } from '../../contract/pet.ts'
import type { Attempt } from '../../inventory/idempotency-key.ts'
import type { Orders, OrderUpdate, Placement } from '../../inventory/orders.ts'
import { isMet, type Precondition } from '../../inventory/precondition.ts'
import type { Attempts } from './idempotency.ts'
import { type PetCounts, petTable } from './counts.ts'
import { prepareRows } from './database.ts'
import type { RecordEvent } from './event-writes.ts'
import { orderColumns, type OrderRow, toOrder } from '../shared/order-row.ts'
import { petColumns, type PetRow, toPet } from '../shared/pet-row.ts'

type Closing = Parameters<Orders['close']>[1]

const petStatusAfter: Record<Closing, PetStatus> = { completed: 'sold', cancelled: 'available' }

/** What the writer does to orders. Each runs inside a transaction of the writer's. */
export function orderWrites(db: DatabaseSync, counts: PetCounts, recordEvent: RecordEvent, attempts: Attempts) {
  const pet = prepareRows(db, `SELECT ${petColumns} FROM pets WHERE id = ?`)
  const setStatus = db.prepare(`UPDATE ${petTable} SET status = ? WHERE id = ?`)
  const insert = prepareRows(
    db,
    `INSERT INTO orders (pet_id, status, placed_at, updated_at) VALUES (?1, 'placed', ?2, ?2) RETURNING ${orderColumns}`,
  )
  const close = prepareRows(db, `UPDATE orders SET status = ?, updated_at = ? WHERE id = ? RETURNING ${orderColumns}`)
  const one = prepareRows(db, `SELECT ${orderColumns} FROM orders WHERE id = ?`)

  function findPet(id: bigint): Pet | undefined {
    const row = pet.get(id) as PetRow | undefined
    return row === undefined ? undefined : toPet(row)
  }

  function changeStatus(current: Pet, status: PetStatus, at: number): void {
    setStatus.run(status, current.id)
    counts.remove(current.categoryId, current.status)
    counts.add(current.categoryId, status)
    recordEvent('pet.updated', current.id, at, encodePet({ ...current, status }))
  }

  return {
    placeOrder({ petId, attempt, at }: { petId: bigint; attempt?: Attempt; at: number }): Placement {
      const before = attempts.find(attempt, at)
      if (before === 'mismatch') return { outcome: 'mismatch' }
      if (before !== undefined) return { outcome: 'replayed', order: decodeOrder(before.answer) }

      const asked = findPet(petId)
      if (asked === undefined) return { outcome: 'missing' }
      if (asked.status !== 'available') return { outcome: 'taken', status: asked.status }
      const order = toOrder(insert.get(petId, at) as unknown as OrderRow)
      const answer = encodeOrder(order)
      changeStatus(asked, 'pending', at)
      recordEvent('order.placed', order.id, at, answer)
      attempts.remember(attempt, answer, at)
      return { outcome: 'placed', order }
    },

    closeOrder(input: { id: bigint; status: Closing; precondition?: Precondition; at: number }): OrderUpdate {
      const { id, status, precondition = {}, at } = input
      const found = one.get(id) as OrderRow | undefined
      if (found === undefined) return { outcome: 'missing' }
      const before = toOrder(found)
      if (!isMet(precondition, encodeOrder(before))) return { outcome: 'unmet' }
      if (before.status !== 'placed') return { outcome: 'closed', order: before }

      const order = toOrder(close.get(status, at, id) as unknown as OrderRow)
      // It is there: nobody removes an animal with an open order.
      changeStatus(findPet(order.petId) as Pet, petStatusAfter[status], at)
      recordEvent(`order.${status}`, order.id, at, encodeOrder(order))
      return { outcome: 'updated', order }
    },
  }
}

function decodeOrder(answer: string): Order {
  const order = parseJson(answer) as Omit<Order, 'id' | 'petId'> & { id: number | bigint; petId: number | bigint }
  return { ...order, id: BigInt(order.id), petId: BigInt(order.petId) }
}
