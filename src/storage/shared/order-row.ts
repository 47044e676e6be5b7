import type { Order, OrderStatus } from '../../contract/order.ts'

export const orderColumns = 'id, pet_id, status, placed_at, updated_at'

export type OrderRow = [id: bigint, petId: bigint, status: OrderStatus, placedAt: bigint, updatedAt: bigint]

export function toOrder([id, petId, status, placedAt, updatedAt]: OrderRow): Order {
  return { id, petId, status, placedAt: toTime(placedAt), updatedAt: toTime(updatedAt) }
}

export function toOrderRow({ id, petId, status, placedAt, updatedAt }: Order): OrderRow {
  return [id, petId, status, BigInt(Date.parse(placedAt)), BigInt(Date.parse(updatedAt))]
}

function toTime(at: bigint): string {
  return new Date(Number(at)).toISOString()
}
