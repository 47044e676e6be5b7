import type { Orders } from '../../../inventory/orders.ts'
import type { Clock } from '../../../inventory/clock.ts'
import type { Statement } from '../connection/database.ts'
import { withCustomerSearch } from '../../shared/reads/find-by-customer.ts'
import { orderColumns, type OrderRow, toOrder } from '../../shared/rows/order-row.ts'
import { boundOf, toPage } from '../../shared/reads/page.ts'
import { orderLists } from '../reads/lists.ts'
import type { Readers } from '../reads/readers.ts'
import type { Writer } from '../writes/writer.ts'

const one: Statement = { name: 'order', text: `SELECT ${orderColumns} FROM orders WHERE id = $1` }

export function postgresOrders({ read, countPending, readPage }: Readers, writer: Writer, clock: Clock): Orders {
  const list: Orders['list'] = async (query, limit, after) => {
    const { sort = 'id' } = query
    const { statement, values } = orderLists[sort](query)
    const { rows } = await countPending(() =>
      readPage({
        statement,
        values: [...values, boundOf(sort, after), limit + 1],
        kind: 'orders',
        after,
      }),
    )
    return toPage(rows as OrderRow[], limit, toOrder)
  }

  return {
    list: withCustomerSearch(list),
    async find(id) {
      const [row] = (await read(one, [id])).rows as OrderRow[]
      return row === undefined ? undefined : toOrder(row)
    },
    place: (order, idempotencyKey, author) =>
      writer.write('placeOrder', { order, at: clock(), author, ...(idempotencyKey && { idempotencyKey }) }),
    update: (id, change, precondition, author) =>
      writer.write('updateOrder', { id, change, at: clock(), author, ...(precondition && { precondition }) }),
  }
}
