import type { IdSort } from '../../../contract/parameters.ts'
import { byFilter, type ByFilter, type Condition } from '../../shared/reads/filters.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import type { ResourceTable } from '../../../inventory/tables.ts'
import type { Statement } from '../connection/statement.ts'
import { countOf } from '../schema/counts.ts'
import { bothForms, type BothForms } from './large-texts.ts'

/** The rows of a list, in page order, without the columns and the limit of a statement. */
export interface List {
  name: string
  /** FROM, WHERE and ORDER BY. The parameters are the values of the filter and the id before the page. */
  rows: string
  parameters: number
}

/**
 * One list per combination of filters. Each is served in page order by its own index.
 * For `status = $1 AND id > $2 ORDER BY id`, PostgreSQL may scan animals by id until it has enough: the whole table if
 * a status is rare. Ordering by both columns, without an equality that would drop one of them, forces the index.
 * (status, id) > ($1, $2) and status <= $1 together are that equality. `id > 0` is the condition of an index, and so is
 * that a column is not null.
 */
export function listIn(
  table: ResourceTable,
  sort: IdSort,
  { beyond, within, order }: Direction,
  conditions: readonly Condition[],
): List {
  const columns = conditions.filter(({ isAbsent }) => !isAbsent).map(({ column }) => column)
  const absent = conditions.filter(({ isAbsent }) => isAbsent).map(({ column }) => `${column} IS NULL`)
  const position = [...columns, 'id']
  const parameters = position.map((_column, index) => `$${index + 1}`)
  const condition = [
    `(${position.join(', ')}) ${beyond} (${parameters.join(', ')})`,
    ...(columns.length === 0 ? [] : [`(${columns.join(', ')}) ${within} (${parameters.slice(0, -1).join(', ')})`]),
    ...columns.map((column) => `${column} IS NOT NULL`),
    ...absent,
    ...(columns.length === 0 && absent.length > 0 ? ['id > 0'] : []),
  ]
  return {
    name: `${nameOf(table, conditions)}${sort === 'id' ? '' : '_backwards'}`,
    rows: `FROM ${table} WHERE ${condition.join(' AND ')} ORDER BY ${position.map((column) => column + order).join(', ')}`,
    parameters: parameters.length,
  }
}

/** A name for the statement of these conditions. */
export function nameOf(what: string, conditions: readonly Condition[]): string {
  return what + conditions.map(({ column, isAbsent }) => `_${isAbsent ? 'without' : 'by'}_${column}`).join('')
}

/** The conditions, with the first parameters of the statement; their number is `values`. */
export function conditionsSql(conditions: readonly Condition[]): { sql: string[]; values: number } {
  let values = 0
  const sql = conditions.map(({ column, isAbsent }) => `${column} ${isAbsent ? 'IS NULL' : `= $${++values}`}`)
  return { sql, values }
}

/** A statement for each list of pets. */
export function forEachList(statementOf: (list: List) => Statement): Record<IdSort, ByFilter<Statement>> {
  const statementsIn = (sort: IdSort, direction: Direction) =>
    byFilter((conditions) => statementOf(listIn('pets', sort, direction, conditions)))
  return { id: statementsIn('id', ascending), '-id': statementsIn('-id', descending) }
}

type Lists = Record<IdSort, ByFilter<Statement>>

/** The pages of the lists of pets. The last parameter is the number of pets. */
export const lists: BothForms<Lists> = bothForms((columns, prefix) =>
  forEachList((list) => pageOf(columns, { ...list, name: prefix + list.name })),
)

/** The same, with the number of all pets of the list (`splitTotal`). */
export const countedLists: BothForms<Lists> = bothForms((columns, prefix) => {
  const listsIn = (sort: IdSort, direction: Direction) =>
    byFilter((conditions) => {
      const list = listIn('pets', sort, direction, conditions)
      const page = pageOf(columns, { ...list, name: prefix + list.name })
      return withTotal(page, conditions, `page.id${direction.order}`)
    })
  return { id: listsIn('id', ascending), '-id': listsIn('-id', descending) }
})

/**
 * A page of pets that meet the conditions, with their number before each row, also if there is none: one statement sees
 * one state.
 */
export function withTotal(page: Statement, conditions: readonly Condition[], order: string): Statement {
  return {
    name: `counted_${page.name}`,
    text: `SELECT total, page.* FROM (${countOf(conditions).text}) AS counted (total)
      LEFT JOIN (${page.text}) AS page ON true ORDER BY ${order}`,
  }
}

/** The number, and the rows of the page. */
export function splitTotal(rows: readonly unknown[][]): { total: bigint; rows: PetRow[] } {
  const counted = rows as [total: bigint, ...(PetRow | [null])][]
  return {
    total: counted[0]?.[0] ?? 0n,
    rows: counted.flatMap(([, ...row]) => (row[0] === null ? [] : [row])),
  }
}

/** The page of a list. The last parameter is the number of rows. */
export function pageOf(columns: string, { name, rows, parameters }: List): Statement {
  return { name, text: `SELECT ${columns} ${rows} LIMIT $${parameters + 1}` }
}
