import type { DatabaseSync } from 'node:sqlite'
import type { Row } from '../../../inventory/snapshot.ts'
import { byFilterOf } from '../../shared/reads/filters.ts'
import type { ProposeOrders } from '../../shared/reads/find-by-customer.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { pageSql } from './lists.ts'
import type { ReadAtEndOfTick } from './shared-snapshot.ts'

/** Whether a customer is not in ASCII, or contains a text. LIKE ignores the case of ASCII. */
const mayHaveWord = 'octet_length(compared) > length(compared) OR compared LIKE ?'

/** CROSS JOIN keeps the order of the list. */
export function proposalSql(page: string): string {
  return `SELECT ${resourceRows.orders.columns} FROM (SELECT id AS listed, customer AS compared FROM orders ${page})
    CROSS JOIN orders ON id = listed WHERE ${mayHaveWord}`
}

/** Both reads see one snapshot: an order that left the filter between them would hide another. */
export function sqliteOrdersByCustomer(reader: DatabaseSync, readAtEndOfTick: ReadAtEndOfTick): ProposeOrders {
  const read = readsOf(reader)
  const statementsIn = (direction: Direction) =>
    byFilterOf('orders')((conditions) => {
      const page = pageSql(conditions, direction)
      return {
        proposed: prepareRows<Row>(reader, proposalSql(page)),
        ids: prepareRows<[bigint]>(reader, `SELECT id FROM orders ${page} OFFSET (? + 0)`),
      }
    })
  const statements = { id: statementsIn(ascending), '-id': statementsIn(descending) }

  return (word, count, { after, sort, filter }) => {
    const { statement, values } = statements[sort](filter)
    const start = [...values, boundOf(sort, after)]
    return readAtEndOfTick(() =>
      read(() => {
        const rows = statement.proposed.all(...start, count, `%${word}%`)
        // The last order of the part, and the one after it.
        const [last, following] = statement.ids.all(...start, 2, count - 1)
        return { rows, ...(last !== undefined && following !== undefined && { next: last[0] }) }
      }),
    )
  }
}
