import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { IdSort } from '../../../contract/parameters.ts'
import type { PetStatements } from '../../shared/reads/filters.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import { petColumns } from '../../shared/rows/pet-row.ts'
import { prepareRows } from '../connection/database.ts'

/** The statements of the lists of pets by id, in both directions. */
export function prepareLists(reader: DatabaseSync, columns = petColumns): Record<IdSort, PetStatements<StatementSync>> {
  const select = `SELECT ${columns} FROM pets`
  return { id: listsIn(reader, select, ascending), '-id': listsIn(reader, select, descending) }
}

/**
 * One statement per combination of filters, each with an index in page order. With a bare parameter as limit, SQLite
 * would plan the statement at each call.
 */
function listsIn(reader: DatabaseSync, columns: string, { beyond, order }: Direction): PetStatements<StatementSync> {
  const page = `ORDER BY id${order} LIMIT (? + 0)`
  const ofStatuses = ["= 'available'", "= 'pending'", "= 'sold'", 'IS NULL'].map(
    (status) => `${columns} WHERE category_id = ?1 AND status ${status} AND id ${beyond} ?2`,
  )
  return {
    all: prepareRows(reader, `${columns} WHERE id ${beyond} ? ${page}`),
    status: prepareRows(reader, `${columns} WHERE status = ? AND id ${beyond} ? ${page}`),
    none: prepareRows(reader, `${columns} WHERE status IS NULL AND id ${beyond} ? ${page}`),
    category: prepareRows(reader, `${ofStatuses.join(' UNION ALL ')} ${page}`),
    both: prepareRows(reader, `${columns} WHERE category_id = ? AND status = ? AND id ${beyond} ? ${page}`),
    categoryAndNone: prepareRows(
      reader,
      `${columns} WHERE category_id = ? AND status IS NULL AND id ${beyond} ? ${page}`,
    ),
  }
}
