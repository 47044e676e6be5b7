import type { IdSort } from '../../contract/parameters.ts'
import { hasWords } from '../../inventory/name-words.ts'
import type { Page } from '../../inventory/page.ts'
import type { Pet } from '../../contract/pet.ts'
import type { PetFilter } from '../../inventory/pets.ts'
import { choosePets, type PetStatements } from '../shared/filters.ts'
import { findByName, type FoundPart, type SearchPart } from '../shared/find-by-name.ts'
import type { Verdict } from '../shared/lineage.ts'
import { ascending, boundOf, descending, type Direction, inHistory, lastOfPage, toPage } from '../shared/page.ts'
import { petColumns, type PetRow, toPet } from '../shared/pet-row.ts'
import type { Statement } from './database.ts'
import type { Readers } from './readers.ts'

/** Pets read before the index is asked: enough to find a page of a common word, which is dear to ask for. */
const scannedPets = 1_000
/** Pets per further part. There are several only while many pets have no words. */
const furtherPets = 5_000

interface Search {
  filter: PetFilter & { name: string }
  sort: IdSort
  limit: number
  after: bigint
  history: string | undefined
}

/**
 * Searches by name. The first part reads pets in the order of the list: if the words are common, it finds enough.
 * Otherwise they are rare, and the index finds them. `repair` is called if there are pets without words.
 */
export function postgresSearch(
  { admit, readPage }: Readers,
  lists: Record<IdSort, PetStatements<Statement>>,
  repair: () => void,
): (search: Search) => Promise<Page<Pet>> {
  return ({ filter, sort, limit, after, history }) =>
    admit(async () => {
      const found: PetRow[] = []
      let verdict: Verdict = { isLost: false, history: undefined }

      async function findPart(part: SearchPart): Promise<FoundPart> {
        const count = part.number === 0 ? scannedPets : part.number === 1 ? part.limit : furtherPets
        const { statement, values } = choosePets((part.number === 0 ? lists : byWords)[part.sort], part.filter)
        const search = part.number === 0 ? [] : [searchOf(part.words)]
        const matching = (rows: unknown[][]) => {
          return (rows as PetRow[]).filter(([, name]) => hasWords(name, part.words)).slice(0, part.limit)
        }
        const page = await readPage({
          statement,
          values: [...values, boundOf(part.sort, part.after), count, ...search],
          kind: 'pets',
          after: { id: after, history },
          lastOf: (rows) => lastOfPage([...found, ...matching(rows)], limit),
        })
        verdict = page.verdict
        const rows = matching(page.rows)
        found.push(...rows)
        if (page.rows.some(([, , , , isWithoutWords]) => isWithoutWords === true)) repair()
        const last = page.rows.at(-1) as PetRow | undefined
        return { rows, ...(last !== undefined && page.rows.length === count && { next: last[0] }) }
      }

      const rows = await findByName({ filter, sort, after, limit: limit + 1 }, findPart)
      return inHistory(toPage(rows, limit, toPet), verdict)
    })
}

/** The condition that a pet has the words of a search, as its index knows it. */
export function hasTheWords(parameter: string): string {
  return `words IS NOT NULL AND words::tsvector @@ ${parameter}::text::tsquery`
}

/** A search for beginnings of words. Words have nothing that needs an escape. */
export function searchOf(words: readonly string[]): string {
  return words.map((word) => `${word}:*`).join(' & ')
}

const byWords: Record<IdSort, PetStatements<Statement>> = {
  id: byWordsIn('id', ascending),
  '-id': byWordsIn('-id', descending),
}

/**
 * The parameters are those of the lists, then the search. OFFSET 0 makes the planner use the index of the words, not the
 * one of the list.
 */
function byWordsIn(sort: IdSort, { beyond, order }: Direction): PetStatements<Statement> {
  const list = (which: string, filters: readonly string[]): Statement => {
    const [after, limit, search] = [1, 2, 3].map((place) => `$${filters.length + place}`) as [string, string, string]
    const filter = [...filters, `id ${beyond} ${after}`].join(' AND ')
    const page = `ORDER BY id${order} LIMIT ${limit}`
    return {
      name: `pets_with_words${sort === 'id' ? '' : '_backwards'}${which}`,
      text: `
        (SELECT ${petColumns}, false AS without_words
          FROM (SELECT * FROM pets WHERE ${hasTheWords(search)} OFFSET 0) AS matching WHERE ${filter} ${page})
        UNION ALL (SELECT ${petColumns}, true FROM pets WHERE words IS NULL AND ${filter} ${page})
        ${page}`,
    }
  }
  return {
    all: list('', []),
    status: list('_of_status', ['status = $1']),
    none: list('_without_status', ['status IS NULL']),
    category: list('_of_category', ['category_id = $1']),
    both: list('_of_category_and_status', ['category_id = $1', 'status = $2']),
    categoryAndNone: list('_of_category_without_status', ['category_id = $1', 'status IS NULL']),
  }
}
