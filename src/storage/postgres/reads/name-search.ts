import type { Caller } from '../../../inventory/caller.ts'
import type { IdSort } from '../../../contract/parameters.ts'
import { searchWords } from '../../../inventory/name-words.ts'
import type { Page } from '../../../inventory/page.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { PetFilter } from '../../../inventory/pets.ts'
import { byFilter, type ByFilter, memberFilterOf } from '../../shared/reads/filters.ts'
import {
  type Found,
  mayFindMore,
  type Search,
  searchAfter,
  type SearchBudget,
  toFoundPage,
} from '../../shared/reads/find-by-name.ts'
import { type MayRead, readWithin, type Sized } from '../../shared/reads/sized-read.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import { isText } from '../../shared/rows/unreadable-row.ts'
import type { Statement } from '../connection/statement.ts'
import { beginningOf, matchesWordsSql, searchOf } from '../schema/name-index.ts'
import { comparedColumns, withWholeNames } from './large-texts.ts'
import { conditionsSql, forEachList, nameOf } from './lists.ts'
import type { Reads } from './read.ts'
import type { WordStatistics } from './word-statistics.ts'

/** Pets that a scan after the first one compares. */
export const scannedNext = { least: 500, most: 18_000 }
/** A scan is followed by another if the pets of the largest one will probably fill the page. */
const isPromising = (found: Found, { limit }: Search, { scannedFirst }: SearchBudget) =>
  found.rows.length * scannedNext.most >= limit * scannedFirst
/** The index must read all pets that have the words. If that takes longer, the list is scanned instead. */
const lookUpTimeoutMs = 50

export interface PageOfSearch {
  filter: PetFilter & { name: string }
  sort: IdSort
  limit: number
  after: bigint
}

export interface SearchParts {
  readers: Reads
  budget: SearchBudget
  statistics: WordStatistics
}

/**
 * Searches by name within a budget. A scan of the list finds common words soon, however many pets have them; the index
 * finds rare ones, and those that seldom meet. A sample of the shop tells which is sooner. A list with a filter is
 * scanned first in any case, and further if that will probably fill the page.
 */
export function postgresSearch({ readers, budget, statistics }: SearchParts) {
  /** All parts of a page are read from one state. */
  async function find(
    { filter, sort, limit, after }: PageOfSearch,
    state: Reads,
    mayRead: MayRead,
  ): Promise<Sized<Page<Pet>>> {
    const search: Search = {
      words: searchWords(filter.name),
      filter: memberFilterOf(filter),
      sort,
      after,
      limit: limit + 1,
    }
    const left = { pets: budget.pets, ms: budget.ms }

    /** What a part has. Undefined if the server took too long. */
    async function readPart(part: Search, query: PartQuery): Promise<Found | undefined> {
      const { statement, values } = query.statements[sort](part.filter)
      const startedAt = performance.now()
      const page = await state.readPage({
        statement,
        values: [...values, boundOf(sort, part.after), query.count, ...query.values],
        kind: 'pets',
        after,
        ...(query.timeoutMs !== undefined && { timeoutMs: query.timeoutMs }),
      })
      left.ms -= performance.now() - startedAt
      return page.isTimedOut ? undefined : foundIn(page.rows as PetRow[], part, query.count)
    }

    /** Compares the next pets of the list, `size` at most. */
    async function scan(part: Search, size: number): Promise<Found> {
      const pets = Math.min(size, left.pets)
      left.pets -= pets
      const values = [part.words.map(beginningOf), pets]
      const found = await readPart(part, { statements: inLists, count: part.limit, values })
      return found ?? { rows: [], next: part.after }
    }

    /** Compares the next pets that the index has for these words. Undefined if that takes too long. */
    async function lookUp(part: Search, words: readonly string[]): Promise<Found | undefined> {
      const count = Math.min(part.limit, left.pets)
      left.pets -= count
      const values = [searchOf(words), part.words.map(beginningOf)]
      const found = await readPart(part, { statements: byWords, count, values, timeoutMs: lookUpTimeoutMs })
      if (found === undefined) for (const word of words) statistics.common.add(word)
      return found
    }

    async function lookUpFrom(found: Found, words: readonly string[]): Promise<Found> {
      if (!mayFindMore(found, search) || left.pets <= 0) return found
      const part = await lookUp(searchAfter(search, found), words)
      return part === undefined ? found : lookUpFrom(join(found, part), words)
    }

    async function scanFrom(first: Found): Promise<Found> {
      let found = first
      let size = budget.scannedFirst
      // Whatever a look-up took, a page makes progress.
      while (mayFindMore(found, search) && left.pets > 0 && (left.ms > 0 || found.next === after)) {
        const msBefore = left.ms
        found = join(found, await scan(searchAfter(search, found), size))
        // As many as the rest of the time allows, after what these took.
        const fitting = (size * left.ms) / Math.max(msBefore - left.ms, 0.1)
        size = Math.round(Math.min(Math.max(fitting, scannedNext.least), scannedNext.most))
      }
      return found
    }

    const mayLookUp = budget.pets > budget.scannedFirst
    // How long a list with a filter is, is not known: it may end soon.
    const isWholeList = Object.keys(search.filter).length === 0
    let found: Found = mayLookUp && isWholeList ? { rows: [], next: after } : await scan(search, budget.scannedFirst)
    if (mayLookUp && mayFindMore(found, search) && (isWholeList || !isPromising(found, search, budget))) {
      const words = await statistics.wordsToLookUp(searchAfter(search, found))
      // Whatever a scan took, the index is asked: it may find all there is.
      if (words !== undefined) found = await lookUpFrom(found, words)
    }
    const { rows, ...end } = await scanFrom(found)
    const whole = await withWholeNames(state, rows.slice(0, limit), mayRead)
    if ('bytes' in whole) return whole
    return { page: toFoundPage({ rows: [...whole.page, ...rows.slice(limit)], ...end }, limit) }
  }

  return (page: PageOfSearch, caller: Caller | undefined): Promise<Page<Pet>> =>
    readWithin(caller, (mayRead, isNext) =>
      readers.countPending(() => readers.hold((state) => find(page, state, mayRead), caller, isNext)),
    )
}

interface PartQuery {
  statements: Record<IdSort, ByFilter<Statement>>
  /** How many rows are enough. */
  count: number
  /** Those that follow the values of a list. */
  values: readonly unknown[]
  timeoutMs?: number
}

/**
 * What the rows of a part, `count` at most, add to a search. The server has compared their words. A damaged row may have
 * no name.
 */
function foundIn(rows: readonly PetRow[], { limit }: Search, count: number): Found {
  const matching = rows.filter(([, name]) => isText(name)).slice(0, limit)
  const last = rows.length === count ? rows.at(-1) : rows.find(([, name]) => name === endOfScan)
  return { rows: matching, ...(last !== undefined && { next: last[0] }) }
}

function join(before: Found, { rows, ...end }: Found): Found {
  return { rows: [...before.rows, ...rows], ...end }
}

/** The name in the row of the last pet that was scanned. No pet has it. */
const endOfScan = ''
/** The columns of that row: the id and the name. */
const lastScanned = petColumns
  .split(', ')
  .map((column) => ({ id: 'id', name: `'${endOfScan}'` })[column] ?? 'NULL')
  .concat('NULL')
  .join(', ')

/**
 * Scans the next pets of a list until enough have the words. If there are too few, the row of the last one says that the
 * list goes on. The parameters are those of the list, the patterns, and the number of pets to scan. Comparing patterns
 * takes half the time of a tsquery.
 */
const inLists = forEachList(({ name, rows, parameters }) => {
  const [limit, patterns, pets] = [1, 2, 3].map((nth) => `$${parameters + nth}`) as [string, string, string]
  return {
    name: `search_${name}`,
    text: `
      (SELECT ${comparedColumns} FROM (SELECT * ${rows} LIMIT ${pets}) AS scanned
        WHERE ' ' || words LIKE ALL (${patterns}::text[]) LIMIT ${limit})
      UNION ALL (SELECT ${lastScanned} ${rows} OFFSET ${pets} - 1 LIMIT 1)
      LIMIT ${limit}`,
  }
})

const byWords: Record<IdSort, ByFilter<Statement>> = {
  id: byWordsIn('id', ascending),
  '-id': byWordsIn('-id', descending),
}

/**
 * The parameters are those of the lists, the words to look up and the patterns. OFFSET 0 makes the planner use the index
 * of the words, not the one of the list.
 */
function byWordsIn(sort: IdSort, { beyond, order }: Direction): ByFilter<Statement> {
  return byFilter((conditions) => {
    const { sql, values } = conditionsSql(conditions)
    const [after, limit, search = '', patterns] = [1, 2, 3, 4].map((nth) => `$${values + nth}`)
    const filter = [...sql, `id ${beyond} ${after}`].join(' AND ')
    return {
      name: nameOf(`pets_with_words${sort === 'id' ? '' : '_backwards'}`, conditions),
      text: `
        SELECT ${comparedColumns} FROM (SELECT * FROM pets WHERE ${matchesWordsSql(search)} OFFSET 0) AS matching
          WHERE ${filter} AND ' ' || words LIKE ALL (${patterns}::text[])
          ORDER BY id${order} LIMIT ${limit}`,
    }
  })
}
