import type { IdSort } from '../../../contract/parameters.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { forEachResource, isCounted, type ResourceTable } from '../../../inventory/tables.ts'
import type { Engine } from '../../shared/ports/engine.ts'
import { byFilterOf } from '../../shared/reads/filters.ts'
import { ascending, boundOf, descending, type Direction, toPage } from '../../shared/reads/page.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import type { Statement } from '../connection/statement.ts'
import { oldestEventSql } from '../schema/events.ts'
import { listIn, pageOf } from './lists.ts'
import { postgresOrderProposals } from './order-proposals.ts'
import type { Reads } from './read.ts'

export const resourceStatements = forEachResource((table) => {
  const { columns } = resourceRows[table]
  const select = `SELECT ${columns} FROM ${table}`
  const listsIn = (sort: IdSort, direction: Direction) =>
    byFilterOf(table)((conditions) => pageOf(columns, listIn(table, sort, direction, conditions)))
  return {
    one: { name: `one_of_${table}`, text: `${select} WHERE id = $1` },
    first: { name: `first_${table}`, text: `${select} ORDER BY id LIMIT $1` },
    lists: { id: listsIn('id', ascending), '-id': listsIn('-id', descending) },
  }
})

const oldestEvent: Statement = { name: 'oldest_event', text: oldestEventSql }

/** Reads the rows of any resource. */
export function postgresResources(
  readers: Reads,
): Pick<Engine, 'find' | 'list' | 'oldestEventId' | 'orderProposals' | 'atOneState'> {
  const { read, countPending, readPage } = readers

  async function rowsOf(table: ResourceTable, limit: number, from: Parameters<Engine['list']>[2]): Promise<Row[]> {
    const { first, lists } = resourceStatements[table]
    if (from === undefined) return (await read(first, [limit])).rows as Row[]
    const { sort = 'id', filter = {}, after } = from
    const { statement, values } = lists[sort](filter)
    const query = { statement, values: [...values, boundOf(sort, after), limit] }
    const { rows } = isCounted(table)
      ? await countPending(() => readPage({ ...query, kind: table, after }))
      : await read(query.statement, query.values)
    return rows as Row[]
  }

  return {
    oldestEventId: async () => ((await read(oldestEvent)).rows[0] as [bigint])[0],
    orderProposals: postgresOrderProposals(readers),
    atOneState: (read, caller) => countPending(() => readers.hold((state) => read(postgresResources(state)), caller)),

    async find(table, id) {
      const [row] = (await read(resourceStatements[table].one, [id])).rows as Row[]
      return row && resourceRows[table].toItem(row)
    },
    async list(table, limit, from) {
      return toPage(await rowsOf(table, limit + 1, from), limit, resourceRows[table].toItem)
    },
  }
}
