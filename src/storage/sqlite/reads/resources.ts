import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import type { Row } from '../../../inventory/snapshot.ts'
import { forEachResource, isCounted, type ResourceTable } from '../../../inventory/tables.ts'
import type { Engine } from '../../shared/ports/engine.ts'
import { type ByFilter, byFilterOf, type ValueFilter } from '../../shared/reads/filters.ts'
import { ascending, boundOf, descending, type Direction, toPage } from '../../shared/reads/page.ts'
import { resourceRows } from '../../shared/rows/resource-rows.ts'
import { prepareOneRow, prepareRows, readsOf, type RowStatement } from '../connection/database.ts'
import type { HoldState } from './held-states.ts'
import { oldestEventSql } from '../schema/events.ts'
import { pageSql } from './lists.ts'
import { sqliteOrderProposals } from './order-proposals.ts'
import { type ReadAtEndOfTick, readNow } from './shared-snapshot.ts'

interface Statements {
  one: RowStatement<Row>
  /** Where any id may be the lowest. */
  first: RowStatement<Row> | undefined
  lists: Record<IdSort, ByFilter<RowStatement<Row>, ValueFilter>>
}

export function prepareResource(reader: DatabaseSync, table: ResourceTable): Statements {
  const select = `SELECT ${resourceRows[table].columns} FROM ${table}`
  const listsIn = (direction: Direction) =>
    byFilterOf(table)((conditions) => prepareRows<Row>(reader, `${select} ${pageSql(conditions, direction)}`))
  return {
    one: prepareRows<Row>(reader, `${select} WHERE id = ?`),
    first: isCounted(table) ? undefined : prepareRows<Row>(reader, `${select} ORDER BY id LIMIT (? + 0)`),
    lists: { id: listsIn(ascending), '-id': listsIn(descending) },
  }
}

type ResourceReads = Pick<Engine, 'find' | 'list' | 'oldestEventId' | 'orderProposals' | 'atOneState'>

/** Reads the rows of any resource. */
export function sqliteResources(
  reader: DatabaseSync,
  readAtEndOfTick: ReadAtEndOfTick,
  hold: HoldState,
): ResourceReads {
  const read = readsOf(reader)
  const statements = forEachResource((table) => prepareResource(reader, table))
  const oldestEvent = prepareOneRow<[bigint]>(reader, oldestEventSql)
  return {
    oldestEventId: () => read(() => oldestEvent.get()[0]),
    orderProposals: sqliteOrderProposals(reader, readAtEndOfTick),
    atOneState: (read, caller) => hold((db) => read(heldResources(db)), caller),

    find: (table, id) =>
      read(() => {
        const row = statements[table].one.get(id)
        return row && resourceRows[table].toItem(row)
      }),

    list: (table, limit, from) =>
      read(() => {
        const { first, lists } = statements[table]
        const { toItem } = resourceRows[table]
        if (from === undefined && first !== undefined) return toPage(first.all(limit + 1), limit, toItem)
        const { sort = 'id', filter = {}, after = 0n } = from ?? {}
        const { statement, values } = lists[sort](filter)
        return toPage(statement.all(...values, boundOf(sort, after), limit + 1), limit, toItem)
      }),
  }
}

const ofConnections = new WeakMap<DatabaseSync, ResourceReads>()

/** The reads on a connection that holds a state. */
export function heldResources(db: DatabaseSync): ResourceReads {
  const known = ofConnections.get(db)
  if (known !== undefined) return known
  const held = sqliteResources(db, readNow, (read) => read(db))
  ofConnections.set(db, held)
  return held
}
