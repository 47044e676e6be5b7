import type { IdSort } from '../../../contract/parameters.ts'
import type { PetStatements } from '../../shared/reads/filters.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import { petColumns } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/database.ts'

/** The pets of a list, in page order, without the columns and the limit of a statement. */
export interface PetList {
  name: string
  /** FROM, WHERE and ORDER BY. The parameters are the values of the filter and the id before the page. */
  rows: string
  parameters: number
}

/**
 * One list per combination of filters. Each is served in page order by the index of that name.
 * For `status = $1 AND id > $2 ORDER BY id`, PostgreSQL may scan animals by id until it has enough: the whole table if
 * a status is rare. Ordering by both columns, without an equality that would drop one of them, forces the index.
 * (status, id) > ($1, $2) and status <= $1 together are that equality. `id > 0` is the condition of an index.
 */
function listsIn(sort: IdSort, { beyond, within, order }: Direction): PetStatements<PetList> {
  const list = (name: string, columns: readonly string[], parameters: number, condition: string): PetList => ({
    name: `${name}${sort === 'id' ? '' : '_backwards'}`,
    rows: `FROM pets WHERE ${condition} ORDER BY ${columns.map((column) => column + order).join(', ')}`,
    parameters,
  })
  return {
    all: list('pets', ['id'], 1, `id ${beyond} $1`),
    status: list('pets_by_status', ['status', 'id'], 2, `(status, id) ${beyond} ($1, $2) AND status ${within} $1`),
    none: list('pets_without_status', ['id'], 1, `status IS NULL AND id > 0 AND id ${beyond} $1`),
    category: list(
      'pets_by_category',
      ['category_id', 'id'],
      2,
      `(category_id, id) ${beyond} ($1, $2) AND category_id ${within} $1`,
    ),
    both: list(
      'pets_by_category_and_status',
      ['category_id', 'status', 'id'],
      3,
      `(category_id, status, id) ${beyond} ($1, $2, $3) AND (category_id, status) ${within} ($1, $2)
        AND status IS NOT NULL`,
    ),
    categoryAndNone: list(
      'pets_by_category_without_status',
      ['category_id', 'id'],
      2,
      `(category_id, id) ${beyond} ($1, $2) AND category_id ${within} $1 AND status IS NULL`,
    ),
  }
}

/** A statement for each list. */
export function forEachList(statementOf: (list: PetList) => Statement): Record<IdSort, PetStatements<Statement>> {
  const statementsIn = (sort: IdSort, direction: Direction) => {
    const statements = Object.entries(listsIn(sort, direction)).map(([which, list]) => [which, statementOf(list)])
    return Object.fromEntries(statements) as PetStatements<Statement>
  }
  return { id: statementsIn('id', ascending), '-id': statementsIn('-id', descending) }
}

/** The pages of the lists. The last parameter is the number of pets. */
export const lists = forEachList(({ name, rows, parameters }) => ({
  name,
  text: `SELECT ${petColumns} ${rows} LIMIT $${parameters + 1}`,
}))
