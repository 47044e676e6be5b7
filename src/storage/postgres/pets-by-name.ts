import type { Pets } from '../../inventory/pets.ts'
import { choosePets, type PetStatements } from '../shared/filters.ts'
import { ascending, descending, type Direction, inHistory, lastOfPage, toPage } from '../shared/page.ts'
import { petColumns, type PetRow, toPet } from '../shared/pet-row.ts'
import type { Statement } from './database.ts'
import type { Readers } from './readers.ts'

/** The same as nameKey: in the collation "C", lower changes only A to Z. */
const key = 'lower(left(name, 64) COLLATE "C")'

/** Lists by name: the server reads all matches and keeps the first ones. */
export function postgresPetsByName({ admit, readPage }: Readers): Pets['list'] {
  return async (query, limit, after, history) => {
    const { statement, values } = choosePets(statements[query.sort === '-name' ? '-name' : 'name'], query)
    const { rows, verdict } = await admit(() =>
      readPage({
        statement,
        values: [query.afterKey ?? null, after, limit + 1, ...values],
        kind: 'pets',
        after: { id: after, history },
        lastOf: (found) => lastOfPage(found, limit),
      }),
    )
    return inHistory(toPage(rows as PetRow[], limit, toPet), verdict)
  }
}

const statements = { name: statementsIn('name', ascending), '-name': statementsIn('-name', descending) }

/** OFFSET 0 makes the planner use the index of the filter. */
function statementsIn(sort: string, { beyond, order }: Direction): PetStatements<Statement> {
  const list = (which: string, filter: string): Statement => ({
    name: `pets_by_${sort}${which}`,
    text: `SELECT ${petColumns} FROM (SELECT *, ${key} AS name_key FROM pets WHERE ${filter} OFFSET 0) AS matching
      WHERE $1::text IS NULL OR (name_key, id) ${beyond} ($1, $2::int8)
      ORDER BY name_key${order}, id${order} LIMIT $3`,
  })
  return {
    all: list('', 'true'),
    status: list('_of_status', 'status = $4'),
    category: list('_of_category', 'category_id = $4'),
    both: list('_of_category_and_status', 'category_id = $4 AND status = $5'),
  }
}
