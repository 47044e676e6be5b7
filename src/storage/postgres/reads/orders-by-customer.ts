import type { IdSort } from '../../../contract/parameters.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { columnsOfResource } from '../../../inventory/tables.ts'
import { byFilterOf } from '../../shared/reads/filters.ts'
import type { ProposeOrders } from '../../shared/reads/find-by-customer.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { listIn } from './lists.ts'
import type { Reads } from './read.ts'

const { columns } = resourceRows.orders
const idOnly = columnsOfResource('orders').map((column) => (column === 'id' ? column : 'NULL'))

/**
 * The proposed orders of a part of a list; then the ids of the last order of the part and of the one after it. A customer
 * that is not in ASCII is proposed: with the collation "C" only the case of ASCII is known.
 */
function statementsIn(sort: IdSort, direction: Direction) {
  return byFilterOf('orders')((conditions) => {
    const { name, rows, parameters } = listIn('orders', sort, direction, conditions)
    const [count, pattern] = [`$${parameters + 1}`, `$${parameters + 2}`]
    return {
      name: `customers_of_${name}`,
      text: `
        (SELECT ${columns} FROM (SELECT * ${rows} LIMIT ${count}) AS listed
          WHERE octet_length(customer) > length(customer) OR lower(customer COLLATE "C") LIKE ${pattern})
        UNION ALL (SELECT ${idOnly.join(', ')} ${rows} OFFSET ${count} - 1 LIMIT 2)`,
    }
  })
}

/** For a test of their plans, too. */
export const proposals = { id: statementsIn('id', ascending), '-id': statementsIn('-id', descending) }

export function postgresOrdersByCustomer({ countPending, readPage }: Reads): ProposeOrders {
  return async (word, count, { after, sort, filter }) => {
    const { statement, values } = proposals[sort](filter)
    const query = { statement, values: [...values, boundOf(sort, after), count, `%${word}%`] }
    const { rows } = await countPending(() => readPage({ ...query, kind: 'orders', after }))
    const [last, following] = (rows as Row[]).filter(isIdOnly)
    return {
      rows: (rows as Row[]).filter((row) => !isIdOnly(row)),
      ...(last !== undefined && following !== undefined && { next: last[0] as bigint }),
    }
  }
}

/** Every order is for an animal. */
function isIdOnly([, petId]: Row): boolean {
  return petId === null
}
