import type { IdSort } from '../../../contract/parameters.ts'
import type { Orders } from '../../../inventory/orders.ts'
import type { Clock } from '../../../inventory/clock.ts'
import type { Statement } from '../connection/database.ts'
import { withCustomerSearch } from '../../shared/reads/find-by-customer.ts'
import { chooseOrders } from '../../shared/reads/filters.ts'
import { orderColumns, type OrderRow, toOrder } from '../../shared/rows/order-row.ts'
import { ascending, boundOf, descending, type Direction, toPage } from '../../shared/reads/page.ts'
import type { Readers } from '../reads/readers.ts'
import type { Writer } from '../writes/writer.ts'

const columns = `SELECT ${orderColumns} FROM orders`

/** One statement per combination of filters, in an order that only its index has (see pet-lists.ts). */
function listsIn(sort: IdSort, { beyond, within, order }: Direction) {
  const suffix = sort === 'id' ? '' : '_backwards'
  const page = (...names: string[]) => `ORDER BY ${names.map((name) => name + order).join(', ')} LIMIT`
  return {
    all: { name: `orders${suffix}`, text: `${columns} WHERE id ${beyond} $1 ${page('id')} $2` },
    status: {
      name: `orders_by_status${suffix}`,
      text: `${columns} WHERE (status, id) ${beyond} ($1, $2) AND status ${within} $1 ${page('status', 'id')} $3`,
    },
    pet: {
      name: `orders_by_pet${suffix}`,
      text: `${columns} WHERE (pet_id, id) ${beyond} ($1, $2) AND pet_id ${within} $1 ${page('pet_id', 'id')} $3`,
    },
    both: {
      name: `orders_by_pet_and_status${suffix}`,
      text: `${columns} WHERE (pet_id, status, id) ${beyond} ($1, $2, $3) AND (pet_id, status) ${within} ($1, $2)
        ${page('pet_id', 'status', 'id')} $4`,
    },
  } satisfies Record<string, Statement>
}

const lists = { id: listsIn('id', ascending), '-id': listsIn('-id', descending) }
const one: Statement = { name: 'order', text: `${columns} WHERE id = $1` }

export function postgresOrders({ read, countPending, readPage }: Readers, writer: Writer, clock: Clock): Orders {
  const list: Orders['list'] = async (query, limit, after) => {
    const { sort = 'id' } = query
    const { name, values } = chooseOrders(query)
    const { rows } = await countPending(() =>
      readPage({
        statement: lists[sort][name],
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
