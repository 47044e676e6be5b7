import { maxSortedByName } from '../../../contract/pet.ts'
import { tooManyToSort } from '../../../inventory/errors.ts'
import { hasWords, nameKey, searchWords } from '../../../inventory/name-words.ts'
import type { Pets } from '../../../inventory/pets.ts'
import { choosePets, hasName, type PetStatements } from '../../shared/reads/filters.ts'
import { comparisonOf, placeOf } from '../../shared/reads/name-order.ts'
import { ascending, descending, type Direction, inHistory, lastOfPage, toPage } from '../../shared/reads/page.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/database.ts'
import { hasTheWords, searchOf } from '../schema/name-index.ts'
import type { SearchParts } from './name-search.ts'
import type { JudgedPage, PageQuery } from './read.ts'

type SortedRow = [...PetRow, isWithoutWords: boolean]

/** How long the server may take to find all matches of a search, and to sort them. */
const searchTimeoutMs = 1_000

/**
 * Lists by name: the server reads all matches and keeps the first ones. Pets without words are sorted here; `repair` is
 * called if there are any. Searches take turns.
 */
export function postgresPetsByName({ readers, repair, turns }: Omit<SearchParts, 'budget'>): Pets['list'] {
  const { countPending, readPage } = readers

  const list: Pets['list'] = async (query, limit, after, history, caller) => {
    const sort = query.sort === '-name' ? '-name' : 'name'
    const words = hasName(query) ? searchWords(query.name) : []
    const compare = comparisonOf(sort)
    const start = query.afterKey === undefined ? undefined : { key: Buffer.from(query.afterKey), id: after }
    const position = { kind: 'pets', after: { id: after, history } } as const

    function readFound(page: PageQuery): Promise<JudgedPage> {
      return turns.take(caller, async () => {
        const found = await readPage({ ...page, timeoutMs: searchTimeoutMs })
        if (found.isTimedOut) throw tooManyToSort()
        return found
      })
    }

    async function refuseTooMany(): Promise<void> {
      const { statement, values } = choosePets(counts, query)
      const counted = await readFound({
        ...position,
        statement,
        values: [searchOf(words), ...values],
        lastOf: () => undefined,
      })
      if (counted.rows.length > maxSortedByName) throw tooManyToSort()
    }

    function firstOf(rows: SortedRow[]): PetRow[] {
      const places = rows.filter(([, name, , , isWithoutWords]) => !isWithoutWords || hasWords(name, words))
      return places
        .map(([id, name, categoryId, status]) => ({
          ...placeOf(id, name),
          row: [id, name, categoryId, status] as PetRow,
        }))
        .filter((place) => start === undefined || compare(place, start) > 0)
        .toSorted(compare)
        .slice(0, limit + 1)
        .map(({ row }) => row)
    }

    async function read(): Promise<JudgedPage> {
      if (hasName(query)) await refuseTooMany()
      const { statement, values } = choosePets(statements[hasName(query) ? 'found' : 'all'][sort], query)
      const page: PageQuery = {
        ...position,
        statement,
        values: [query.afterKey ?? null, after, limit + 1, searchOf(words), ...values],
        lastOf: (found) => lastOfPage(firstOf(found as SortedRow[]), limit),
      }
      return hasName(query) ? readFound(page) : readPage(page)
    }

    const { rows, verdict } = await countPending(read)
    if ((rows as SortedRow[]).some(([, , , , isWithoutWords]) => isWithoutWords)) repair()
    const first = firstOf(rows as SortedRow[])
    const last = first[limit - 1]
    const page = inHistory(toPage(first, limit, toPet), verdict)
    // The next page starts after the name of an item: if none can be read, the list goes on after them.
    if (page.items.length > 0 || !page.more || last === undefined) return page
    return list({ ...query, afterKey: nameKey(last[1]) }, limit, last[0], page.history, caller)
  }
  return list
}

const statements = {
  all: { name: statementsIn('name', ascending, false), '-name': statementsIn('-name', descending, false) },
  found: { name: statementsIn('name', ascending, true), '-name': statementsIn('-name', descending, true) },
}

/** The same as nameKey. OFFSET 0 makes the planner use the index of the filter, or of the words. */
function statementsIn(sort: string, { beyond, order }: Direction, isSearch: boolean): PetStatements<Statement> {
  const matching = isSearch ? hasTheWords('$4') : "words IS NOT NULL AND $4 = ''"
  return byFilter(`pets_by_${sort}${isSearch ? '_found' : ''}`, 5, (filter) => {
    const keyed = `SELECT *, left(words, 64) AS name_key FROM pets WHERE ${matching} AND ${filter} OFFSET 0`
    return `
      (SELECT ${petColumns}, false FROM (${keyed}) AS matching
        WHERE $1::text IS NULL OR (name_key, id) ${beyond} ($1 COLLATE "C", $2::int8)
        ORDER BY name_key${order}, id${order} LIMIT $3)
      UNION ALL (SELECT ${petColumns}, true FROM pets WHERE words IS NULL AND ${filter} LIMIT ${maxSortedByName + 1})`
  })
}

const counts = byFilter('pets_to_sort', 2, (filter) => {
  return `SELECT true FROM pets WHERE ${hasTheWords('$1')} AND ${filter} LIMIT ${maxSortedByName + 1}`
})

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
