import type { DatabaseSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import { PetStatus } from '../../../contract/pet.ts'
import { filteredMembers } from '../../../inventory/pets.ts'
import { byFilter, type ByFilter, type Condition } from '../../shared/reads/filters.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import { petColumns } from '../../shared/rows/pet-row.ts'
import { prepareRows, type RowStatement } from '../connection/database.ts'

/**
 * The statements of the lists of pets by id, in both directions. `around` makes another statement of that of a list; its
 * parameters come after those of the list.
 */
export function prepareLists<Row extends readonly unknown[]>(
  reader: DatabaseSync,
  columns = petColumns,
  around = (list: string) => list,
): Record<IdSort, ByFilter<RowStatement<Row>>> {
  const select = `SELECT ${columns} FROM pets`
  const prepare = (list: string) => prepareRows<Row>(reader, around(list))
  return { id: listsIn(prepare, select, ascending), '-id': listsIn(prepare, select, descending) }
}

const categoryColumn = filteredMembers.categoryId.column

/** One statement per combination of filters, each with an index in page order. */
function listsIn<Row>(
  prepare: (list: string) => RowStatement<Row>,
  select: string,
  { beyond, order }: Direction,
): ByFilter<RowStatement<Row>> {
  return byFilter((conditions) => {
    const [first, ...others] = conditions
    if (first?.column !== categoryColumn || others.length > 0)
      return prepare(`${select} ${pageSql(conditions, { beyond, order })}`)
    // The index by category is by status, too: the lists of all statuses, merged.
    const known = PetStatus.enum.map((status) => `'${status}'`)
    const isUnknown = known.map((status) => `status <> ${status}`).join(' AND ')
    const ofStatuses = [...known.map((status) => `status = ${status}`), 'status IS NULL', isUnknown].map(
      (condition) => `${select} WHERE category_id = ?1 AND ${condition} AND id ${beyond} ?2`,
    )
    return prepare(`${ofStatuses.join(' UNION ALL ')} ${orderSql(order)}`)
  })
}

/** The rows of a page. The parameters are the values of the filter, the id before the page, and the number of rows. */
export function pageSql(
  conditions: readonly Condition[],
  { beyond, order }: Pick<Direction, 'beyond' | 'order'>,
): string {
  return `WHERE ${[...conditions.map(conditionSql), `id ${beyond} ?`].join(' AND ')} ${orderSql(order)}`
}

/** With a bare parameter as limit, SQLite would plan the statement at each call. */
function orderSql(order: Direction['order']): string {
  return `ORDER BY id${order} LIMIT (? + 0)`
}

function conditionSql({ column, isAbsent }: Condition): string {
  return isAbsent ? `${column} IS NULL` : `${column} = ?`
}
