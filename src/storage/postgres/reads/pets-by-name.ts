import { nameKey } from '../../../inventory/name-words.ts'
import type { Pets } from '../../../inventory/pets.ts'
import { byFilter, type ByFilter } from '../../shared/reads/filters.ts'
import { ascending, descending, type Direction, toPage } from '../../shared/reads/page.ts'
import { type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/statement.ts'
import { bothForms, type BothForms, readInForms } from './large-texts.ts'
import { conditionsSql, nameOf, splitTotal, withTotal } from './lists.ts'
import type { Reads } from './read.ts'

/** Lists by name: the server reads all pets of a list and keeps the first ones. */
export function postgresPetsByName({ countPending, readPage }: Reads): Pets['list'] {
  const list: Pets['list'] = async (query, limit, after, caller) => {
    const sort = query.sort === '-name' ? '-name' : 'name'
    const { statement, values } = statements[sort](query)
    const { rows, ...total } = await readInForms(caller, async (form) => {
      const read = await countPending(() =>
        readPage({
          kind: 'pets',
          after,
          statement: statement[form][query.withTotal ? 'counted' : 'plain'],
          values: [...values, query.afterKey ?? null, after, limit + 1],
        }),
      )
      return query.withTotal ? splitTotal(read.rows) : { rows: read.rows as PetRow[] }
    })
    const last = rows[limit - 1]
    const page = { ...toPage(rows, limit, toPet), ...total }
    // The next page starts after the name of an item: if none can be read, the list goes on after them.
    if (page.items.length > 0 || !page.more || last === undefined) return page
    return list({ ...query, afterKey: nameKey(last[1]) }, limit, last[0], caller)
  }
  return list
}

const statements = { name: statementsIn('name', ascending), '-name': statementsIn('-name', descending) }

/** The same as nameKey. OFFSET 0 makes the planner use the index of the filter. */
function statementsIn(
  sort: string,
  { beyond, order }: Direction,
): ByFilter<BothForms<{ plain: Statement; counted: Statement }>> {
  return byFilter((conditions) => {
    const { sql, values } = conditionsSql(conditions)
    const [afterKey, after, limit] = [1, 2, 3].map((nth) => `$${values + nth}`)
    const keyed = `SELECT *, left(words, 64) AS name_key FROM pets WHERE ${['true', ...sql].join(' AND ')} OFFSET 0`
    const inOrder = `name_key${order}, id${order}`
    const page = (columns: string, prefix: string) => ({
      name: prefix + nameOf(`pets_in_order_of_${sort}`, conditions),
      text: `
        SELECT ${columns} FROM (${keyed}) AS matching
          WHERE ${afterKey}::text IS NULL OR (name_key, id) ${beyond} (${afterKey} COLLATE "C", ${after}::int8)
          ORDER BY ${inOrder} LIMIT ${limit}`,
    })
    return bothForms((columns, prefix) => ({
      plain: page(columns, prefix),
      counted: withTotal(page(`${columns}, name_key`, prefix), conditions, inOrder),
    }))
  })
}
