import { columnNames } from '../../../contract/members.ts'
import { type Order, orderMembers, OrderStatus } from '../../../contract/order.ts'
import { isTime, UnreadableRow } from './unreadable-row.ts'

export const orderColumns = columnNames(orderMembers).join(', ')

export type OrderRow = [
  id: bigint,
  petId: bigint,
  status: OrderStatus,
  placedAt: bigint,
  updatedAt: bigint,
  customer: string | null,
  note: string | null,
]

const statuses: ReadonlySet<string> = new Set(OrderStatus.enum)

// A missing text is NULL in the table and absent in JSON.
export function toOrder([id, petId, status, placedAt, updatedAt, customer, note]: OrderRow): Order {
  if (!statuses.has(status)) throw new UnreadableRow('order', id, `it has the status ${JSON.stringify(status)}`)
  if (!isTime(placedAt)) throw new UnreadableRow('order', id, `placed_at, ${placedAt}, is not a time`)
  if (!isTime(updatedAt)) throw new UnreadableRow('order', id, `updated_at, ${updatedAt}, is not a time`)
  return {
    id,
    petId,
    status,
    placedAt: toTime(placedAt),
    updatedAt: toTime(updatedAt),
    ...(customer !== null && { customer }),
    ...(note !== null && { note }),
  }
}

export function toOrderRow({ id, petId, status, placedAt, updatedAt, customer, note }: Order): OrderRow {
  return [id, petId, status, toMs(placedAt), toMs(updatedAt), customer ?? null, note ?? null]
}

function toTime(at: bigint): string {
  return new Date(Number(at)).toISOString()
}

function toMs(time: string): bigint {
  return BigInt(Date.parse(time))
}
