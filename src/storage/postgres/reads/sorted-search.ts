import { byFilter, type ByFilter } from '../../shared/reads/filters.ts'
import type { Found } from '../../shared/reads/find-by-name.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import type { FindPart, SearchInOrder } from '../../shared/reads/sorted-search.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/statement.ts'
import { beginningOf, matchesWordsSql, searchOf } from '../schema/name-index.ts'
import { endOfScan, lastScanned, scannedNext, type SearchParts } from './name-search.ts'
import { comparedColumns } from './large-texts.ts'
import { conditionsSql, forEachList, nameOf } from './lists.ts'
import type { PageRows } from './read.ts'

/**
 * The parts of one page of a search in the order of names. The first one scans the beginning of the list. Then,
 * if that is sooner, the index finds all pets that have the words; otherwise the scan goes on.
 */
export function postgresSortedSearch({ readers, budget, statistics }: SearchParts): FindPart {
  async function read(
    { filter, inOrder, words, after, limit }: SearchInOrder,
    statements: typeof scans,
    { last, timeoutMs }: { last: string | number; timeoutMs?: number },
  ): Promise<PageRows> {
    const { statement, values } = statements[inOrder.sort](filter)
    const range = [inOrder.after?.key, inOrder.after?.id, inOrder.upTo?.key, inOrder.upTo?.id].map((one) => one ?? null)
    return readers.readPage({
      statement,
      values: [...values, after, words.map(beginningOf), ...range, limit, last],
      kind: 'pets',
      after: 0n,
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
  }

  async function scan(search: SearchInOrder, pets: number): Promise<Found> {
    const startedAt = performance.now()
    const { rows } = await read(search, scans, { last: pets })
    const cost = { pets, ms: performance.now() - startedAt }
    const last = rows.find(([, name]) => name === endOfScan)
    const matches = (rows as PetRow[]).filter(([, name]) => name !== endOfScan)
    return { rows: matches, cost, ...(last !== undefined && { next: last[0] as bigint }) }
  }

  /** Undefined if it takes too long. */
  async function lookUp(search: SearchInOrder, words: string[], timeoutMs: number): Promise<Found | undefined> {
    const { rows, isTimedOut } = await read(search, lookUps, { last: searchOf(words), timeoutMs })
    if (isTimedOut) for (const word of words) statistics.common.add(word)
    return isTimedOut ? undefined : { rows: rows as PetRow[] }
  }

  let size = budget.scannedFirst
  let scanned = 0

  async function findByIndex(search: SearchInOrder, timeoutMs: number): Promise<Found | undefined> {
    const words = await statistics.wordsToLookUp(search)
    return words === undefined ? undefined : lookUp(search, words, timeoutMs)
  }

  return async (search, left) => {
    if (++scanned === 2) {
      const found = await findByIndex(search, Math.ceil(left.ms))
      if (found !== undefined) return found
    }
    const pets = Math.min(size, left.pets)
    const found = await scan(search, pets)
    // As many as the rest of the time allows, after what these took.
    const fitting = (pets * left.ms) / Math.max(found.cost?.ms ?? 0, 0.1)
    size = Math.round(Math.min(Math.max(fitting, scannedNext.least), scannedNext.most))
    return found
  }
}

interface Range {
  /** The first matches of a table of pets, of those in the range. */
  first(table: string, condition: string): string
  /** The parameter after those of the range. */
  last: string
}

/** The parameters are the patterns, the sort keys before and at the end of the range, and the number of pets. */
function rangeIn({ beyond, within, order }: Direction, parameters: number): Range {
  const [patterns, afterKey, afterId, endKey, endId, limit, last = ''] = [1, 2, 3, 4, 5, 6, 7].map(
    (nth) => `$${parameters + nth}`,
  )
  const key = 'left(words, 64)'
  return {
    last,
    first: (table, condition) => `
      SELECT ${comparedColumns} FROM (${table}) AS compared
        WHERE ${condition} AND ' ' || words LIKE ALL (${patterns}::text[])
          AND (${afterKey}::text IS NULL OR (${key}, id) ${beyond} (${afterKey} COLLATE "C", ${afterId}::int8))
          AND (${endKey}::text IS NULL OR (${key}, id) ${within} (${endKey} COLLATE "C", ${endId}::int8))
        ORDER BY ${key}${order}, id${order} LIMIT ${limit}`,
  }
}

const scans = {
  name: scansIn('name', ascending),
  '-name': scansIn('-name', descending),
}

/** The next pets of a list, at most as many as the last parameter says. The row of the last one says that it goes on. */
function scansIn(sort: string, direction: Direction): ByFilter<Statement> {
  return forEachList(({ name, rows, parameters }) => {
    const { first, last } = rangeIn(direction, parameters)
    const scanned = `SELECT * ${rows} LIMIT ${last}::int8`
    return {
      name: `${sort}_order_${name}`,
      text: `(${first(scanned, 'true')})
        UNION ALL (SELECT ${lastScanned} ${rows} OFFSET ${last}::int8 - 1 LIMIT 1)`,
    }
  }).id
}

const lookUps = {
  name: lookUpsIn('name', ascending),
  '-name': lookUpsIn('-name', descending),
}

/** All pets with the words that are the last parameter. OFFSET 0 makes the planner use the index of the words. */
function lookUpsIn(sort: string, direction: Direction): ByFilter<Statement> {
  return byFilter((conditions) => {
    const { sql, values } = conditionsSql(conditions)
    const { first, last } = rangeIn(direction, values + 1)
    const filter = [...sql, `id > $${values + 1}`].join(' AND ')
    return {
      name: nameOf(`${sort}_order_with_word`, conditions),
      text: first(`SELECT * FROM pets WHERE ${matchesWordsSql(last)} OFFSET 0`, filter),
    }
  })
}
