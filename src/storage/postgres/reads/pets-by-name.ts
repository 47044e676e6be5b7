import { nameKey } from '../../../inventory/name-words.ts'
import type { Pets } from '../../../inventory/pets.ts'
import { choosePets, type PetStatements } from '../../shared/reads/filters.ts'
import { ascending, descending, type Direction, inHistory, lastOfPage, toPage } from '../../shared/reads/page.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/database.ts'
import type { Readers } from './readers.ts'

/** Lists by name: the server reads all pets of a list and keeps the first ones. */
export function postgresPetsByName({ countPending, readPage }: Readers): Pets['list'] {
  const list: Pets['list'] = async (query, limit, after, history) => {
    const sort = query.sort === '-name' ? '-name' : 'name'
    const { statement, values } = choosePets(statements[sort], query)
    const { rows, verdict } = await countPending(() =>
      readPage({
        kind: 'pets',
        after: { id: after, history },
        statement,
        values: [query.afterKey ?? null, after, limit + 1, ...values],
        lastOf: (found) => lastOfPage(found, limit),
      }),
    )
    const last = (rows as PetRow[])[limit - 1]
    const page = inHistory(toPage(rows as PetRow[], limit, toPet), verdict)
    // The next page starts after the name of an item: if none can be read, the list goes on after them.
    if (page.items.length > 0 || !page.more || last === undefined) return page
    return list({ ...query, afterKey: nameKey(last[1]) }, limit, last[0], page.history)
  }
  return list
}

const statements = { name: statementsIn('name', ascending), '-name': statementsIn('-name', descending) }

/** The same as nameKey. OFFSET 0 makes the planner use the index of the filter. */
function statementsIn(sort: string, { beyond, order }: Direction): PetStatements<Statement> {
  return byFilter(`pets_by_${sort}`, 4, (filter) => {
    const keyed = `SELECT *, left(words, 64) AS name_key FROM pets WHERE ${filter} OFFSET 0`
    return `
      SELECT ${petColumns} FROM (${keyed}) AS matching
        WHERE $1::text IS NULL OR (name_key, id) ${beyond} ($1 COLLATE "C", $2::int8)
        ORDER BY name_key${order}, id${order} LIMIT $3`
  })
}

/** A statement for each combination of filters, whose values are the parameters from `first` on. */
function byFilter(name: string, first: number, text: (filter: string) => string): PetStatements<Statement> {
  return {
    all: { name, text: text('true') },
    status: { name: `${name}_of_status`, text: text(`status = $${first}`) },
    none: { name: `${name}_without_status`, text: text('status IS NULL') },
    category: { name: `${name}_of_category`, text: text(`category_id = $${first}`) },
    both: {
      name: `${name}_of_category_and_status`,
      text: text(`category_id = $${first} AND status = $${first + 1}`),
    },
    categoryAndNone: {
      name: `${name}_of_category_without_status`,
      text: text(`category_id = $${first} AND status IS NULL`),
    },
  }
}
