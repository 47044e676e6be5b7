import type { DatabaseSync } from 'node:sqlite'
import type { Orders } from '../../../inventory/orders.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { withCustomerSearch } from '../../shared/reads/find-by-customer.ts'
import { chooseOrders } from '../../shared/reads/filters.ts'
import { orderColumns, type OrderRow, toOrder } from '../../shared/rows/order-row.ts'
import { ascending, boundOf, descending, type Direction, toPage } from '../../shared/reads/page.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteOrders(reader: DatabaseSync, writer: Writer, clock: Clock): Orders {
  const read = readsOf(reader)
  const lists = { id: prepareLists(reader, ascending), '-id': prepareLists(reader, descending) }
  const one = prepareRows(reader, `${columns} WHERE id = ?`)

  const list: Orders['list'] = (query, limit, after) =>
    read(() => {
      const { sort = 'id' } = query
      const { name, values } = chooseOrders(query)
      const rows = lists[sort][name].all(...values, boundOf(sort, after), limit + 1) as unknown as OrderRow[]
      return toPage(rows, limit, toOrder)
    })

  return {
    list: withCustomerSearch(list),

    find: (id) =>
      read(() => {
        const row = one.get(id) as OrderRow | undefined
        return row === undefined ? undefined : toOrder(row)
      }),

    place(order, idempotencyKey, author) {
      return writer.write('placeOrder', { order, at: clock(), author, ...(idempotencyKey && { idempotencyKey }) })
    },

    update(id, change, precondition, author) {
      return writer.write('updateOrder', { id, change, at: clock(), author, ...(precondition && { precondition }) })
    },
  }
}

const columns = `SELECT ${orderColumns} FROM orders`

/** One statement per combination of filters, each with an index in page order. */
function prepareLists(reader: DatabaseSync, { beyond, order }: Direction) {
  const page = `id ${beyond} ? ORDER BY id${order} LIMIT (? + 0)`
  return {
    all: prepareRows(reader, `${columns} WHERE ${page}`),
    status: prepareRows(reader, `${columns} WHERE status = ? AND ${page}`),
    pet: prepareRows(reader, `${columns} WHERE pet_id = ? AND ${page}`),
    both: prepareRows(reader, `${columns} WHERE pet_id = ? AND status = ? AND ${page}`),
  }
}
