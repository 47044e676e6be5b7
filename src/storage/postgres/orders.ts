import type { OrderFilter, Orders } from '../../inventory/orders.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Statement } from './database.ts'
import { orderColumns, type OrderRow, toOrder } from '../shared/order-row.ts'
import { inHistory, lastOfPage, toPage } from '../shared/page.ts'
import type { Readers } from './readers.ts'
import type { Writer } from './writer.ts'

const columns = `SELECT ${orderColumns} FROM orders`

/** As with animals: one statement for each combination of filters, in an order that only its index has. */
const lists = {
  all: { name: 'orders', text: `${columns} WHERE id > $1 ORDER BY id LIMIT $2` },
  status: {
    name: 'orders_by_status',
    text: `${columns} WHERE (status, id) > ($1, $2) AND status <= $1 ORDER BY status, id LIMIT $3`,
  },
  pet: {
    name: 'orders_by_pet',
    text: `${columns} WHERE (pet_id, id) > ($1, $2) AND pet_id <= $1 ORDER BY pet_id, id LIMIT $3`,
  },
  both: {
    name: 'orders_by_pet_and_status',
    text: `${columns} WHERE (pet_id, status, id) > ($1, $2, $3) AND (pet_id, status) <= ($1, $2)
      ORDER BY pet_id, status, id LIMIT $4`,
  },
} satisfies Record<string, Statement>
const one: Statement = { name: 'order', text: `${columns} WHERE id = $1` }

export function postgresOrders({ read, admit, readPage }: Readers, writer: Writer, clock: Clock): Orders {
  return {
    async list(filter, limit, after, history) {
      const { statement, values } = choose(filter)
      const { rows, verdict } = await admit(() =>
        readPage({
          statement,
          values: [...values, after, limit + 1],
          kind: 'orders',
          after: { id: after, history },
          lastOf: (found) => lastOfPage(found, limit),
        }),
      )
      return inHistory(toPage(rows as OrderRow[], limit, toOrder), verdict)
    },
    async find(id) {
      const [row] = (await read(one, [id])).rows as OrderRow[]
      return row === undefined ? undefined : toOrder(row)
    },
    place: (petId, idempotencyKey) =>
      writer.write('placeOrder', { petId, at: clock(), ...(idempotencyKey && { idempotencyKey }) }),
    close: (id, status, precondition) =>
      writer.write('closeOrder', { id, status, at: clock(), ...(precondition && { precondition }) }),
  }
}

function choose({ status, petId }: OrderFilter): { statement: Statement; values: unknown[] } {
  if (petId === undefined)
    return status === undefined ? { statement: lists.all, values: [] } : { statement: lists.status, values: [status] }
  return status === undefined
    ? { statement: lists.pet, values: [petId] }
    : { statement: lists.both, values: [petId, status] }
}
