import type { DatabaseSync } from 'node:sqlite'
import type { Orders } from '../../../inventory/orders.ts'
import type { Clock } from '../../../inventory/clock.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { withCustomerSearch } from '../../shared/reads/find-by-customer.ts'
import { orderColumns, type OrderRow, toOrder } from '../../shared/rows/order-row.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import { prepareOrderLists } from '../reads/lists.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteOrders(reader: DatabaseSync, writer: Writer, clock: Clock): Orders {
  const read = readsOf(reader)
  const lists = prepareOrderLists(reader)
  const one = prepareRows(reader, `SELECT ${orderColumns} FROM orders WHERE id = ?`)

  const list: Orders['list'] = (query, limit, after) =>
    read(() => {
      const { sort = 'id' } = query
      const { statement, values } = lists[sort](query)
      const rows = statement.all(...values, boundOf(sort, after), limit + 1) as unknown as OrderRow[]
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
