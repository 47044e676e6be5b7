import type { IdSort } from '../../../contract/parameters.ts'
import { hasWords } from '../../../inventory/name-words.ts'
import type { Page } from '../../../inventory/page.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { PetFilter } from '../../../inventory/pets.ts'
import { choosePets, type PetStatements } from '../../shared/reads/filters.ts'
import { findByName, type FoundPart, type SearchPart } from '../../shared/reads/find-by-name.ts'
import type { Verdict } from '../../shared/reads/lineage.ts'
import {
  ascending,
  boundOf,
  descending,
  type Direction,
  inHistory,
  lastOfPage,
  toPage,
} from '../../shared/reads/page.ts'
import { petColumns, type PetRow, toPet } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/database.ts'
import { hasTheWords } from '../schema/name-index.ts'
import { forEachList } from './pet-lists.ts'
import type { Readers } from './readers.ts'

/** Pets of the list that the first scan compares at most, and the second one. */
const scannedPets = [2_000, 18_000] as const
/** Pets per further part of the index. There are several only while many pets have no words. */
const furtherPets = 5_000

interface Search {
  filter: PetFilter & { name: string }
  sort: IdSort
  limit: number
  after: bigint
  history: string | undefined
}

/**
 * Searches by name. First it scans the list, which finds common words soon, however many pets have them; it scans more if
 * that will probably fill the page. Otherwise the words are rare, and the index finds them. `repair` is called if there
 * are pets without words.
 */
export function postgresSearch(
  { countPending, readPage }: Readers,
  repair: () => void,
): (search: Search) => Promise<Page<Pet>> {
  return ({ filter, sort, limit, after, history }) =>
    countPending(async () => {
      const found: PetRow[] = []
      let verdict: Verdict = { isLost: false, history: undefined }
      let indexParts = 0

      async function readPart(
        part: SearchPart,
        statements: typeof inLists,
        count: number,
        search: readonly unknown[],
      ): Promise<FoundPart> {
        const { statement, values } = choosePets(statements[part.sort], part.filter)
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
        const last = page.rows.length === count ? page.rows.at(-1) : page.rows.find(([, name]) => name === endOfScan)
        return { rows, ...(last !== undefined && { next: last[0] as bigint }) }
      }

      function scan(part: SearchPart, pets: number): Promise<FoundPart> {
        return readPart(part, inLists, part.limit, [part.words.map(beginningOf), pets])
      }

      async function findPart(part: SearchPart): Promise<FoundPart> {
        const [first, second] = scannedPets
        if (part.number === 0) return scan(part, first)
        if (part.number === 1 && found.length * second >= part.limit * first) return scan(part, second)
        return readPart(part, byWords, indexParts++ === 0 ? part.limit : furtherPets, [searchOf(part.words)])
      }

      const rows = await findByName({ filter, sort, after, limit: limit + 1 }, findPart)
      return inHistory(toPage(rows, limit, toPet), verdict)
    })
}

/** A search for beginnings of words. Words have nothing that needs an escape. */
export function searchOf(words: readonly string[]): string {
  return words.map((word) => `${word}:*`).join(' & ')
}

/** A pattern for names with a word that begins so. Words have nothing that needs an escape. */
function beginningOf(word: string): string {
  return `% ${word}%`
}

/** The name in the row of the last pet that was scanned. No pet has it. */
const endOfScan = ''

/**
 * Scans the next pets of a list until enough have the words. If there are too few, the row of the last one says that the
 * list goes on. The parameters are those of the list, the patterns, and the number of pets to scan. Comparing patterns
 * takes half the time of a tsquery.
 */
const inLists = forEachList(({ name, rows, parameters }) => {
  const [limit, patterns, pets] = [1, 2, 3].map((place) => `$${parameters + place}`) as [string, string, string]
  return {
    name: `search_${name}`,
    text: `
      (SELECT ${petColumns}, words IS NULL AS without_words FROM (SELECT * ${rows} LIMIT ${pets}) AS scanned
        WHERE words IS NULL OR ' ' || words LIKE ALL (${patterns}::text[]) LIMIT ${limit})
      UNION ALL (SELECT id, '${endOfScan}', 0, NULL, false ${rows} OFFSET ${pets} - 1 LIMIT 1)
      LIMIT ${limit}`,
  }
})

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
