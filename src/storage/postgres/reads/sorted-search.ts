import type { Caller } from '../../../inventory/caller.ts'
import { openFairQueue } from '../../../inventory/fair-queue.ts'
import { int64Max } from '../../../contract/int64.ts'
import type { NameCursor, PetPage, PetQuery } from '../../../inventory/pets.ts'
import { byFilter, type ByFilter } from '../../shared/reads/filters.ts'
import type { FoundInOrder, SearchInOrder } from '../../shared/reads/find-by-name.ts'
import { ascending, descending, type Direction } from '../../shared/reads/page.ts'
import { readWithin } from '../../shared/reads/sized-read.ts'
import { isPromising, mayBeSorted, searchInOrderOf, toPageInOrder } from '../../shared/reads/sorted-search.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import type { Statement } from '../connection/statement.ts'
import { counts } from '../schema/counts.ts'
import { beginningOf, matchesWordsSql, searchOf } from '../schema/name-index.ts'
import { comparedColumns, withWholeNames } from './large-texts.ts'
import { conditionsSql, nameOf } from './lists.ts'
import { scannedNext, type SearchParts } from './name-search.ts'
import type { PageRows, Reads } from './read.ts'

type Query = PetQuery & { name: string }

/** Matches may be far apart in the order of names: a page may take as many times as long as that of another search. */
const budgetFactor = 16
/** What the server has at most to sort all matches. */
const maxSortMs = 500
/** What the server has in any case to sort all matches, if they are few. */
const leastSortMs = 50

/**
 * Searches in the order of names within a budget. It walks through the index by name: if the words are common, that finds
 * enough. If not, and few pets are of the list or have the words, the server compares and sorts all of these. Otherwise it
 * walks on.
 */
export function postgresSortedSearch({ readers, budget, statistics }: SearchParts) {
  /** One page at a time: it takes longer than those of other searches, which share the held states with it. */
  const turns = openFairQueue(1)

  /** All parts of a page are read from one state. */
  async function find(search: SearchInOrder, state: Reads): Promise<FoundInOrder> {
    const { sort, filter, words, limit } = search
    const left = { pets: budget.pets, ms: budgetFactor * budget.ms }

    async function read(
      { statement, values }: ReturnType<ByFilter<Statement>>,
      [after, ...others]: readonly [NameCursor, ...unknown[]],
      timeoutMs?: number,
    ): Promise<PageRows> {
      const startedAt = performance.now()
      const page = await state.readPage({
        statement,
        values: [...values, words.map(beginningOf), after.key, after.id, limit, ...others],
        kind: 'pets',
        after: 0n,
        ...(timeoutMs !== undefined && { timeoutMs }),
      })
      left.ms -= performance.now() - startedAt
      return page
    }

    const start = search.after ?? beforeAll[sort]

    async function walk(after: NameCursor, size: number): Promise<FoundInOrder> {
      const pets = Math.min(size, left.pets)
      left.pets -= pets
      const { rows } = await read(walks[sort](filter), [after, pets])
      const end = rows.find((row) => row[walkColumns.isLast])
      const matching = rows.filter((row) => row[walkColumns.matches]) as PetRow[]
      return { rows: matching, ...(end && { next: positionOf(end) }) }
    }

    /** The first of all matches. Undefined if that would take too long. */
    async function sortAll(): Promise<PetRow[] | undefined> {
      // Compared with a walk through all: the first names have too few matches.
      const looked = await statistics.wordsToLookUp({ ...search, limit: Infinity, sort: 'id', after: 0n })
      if (looked !== undefined) {
        const { rows, isTimedOut } = await read(
          lookUps[sort](filter),
          [start, searchOf(looked)],
          Math.ceil(Math.min(Math.max(left.ms, leastSortMs), maxSortMs)),
        )
        if (!isTimedOut) return rows as PetRow[]
        for (const word of looked) statistics.common.add(word)
      }
      const { statement, values } = counts(filter)
      const [[listed]] = (await state.readUncounted(statement, values)).rows as [[bigint]]
      if (!mayBeSorted(search, () => listed)) return undefined
      return (await read(sortedLists[sort](filter), [start])).rows as PetRow[]
    }

    const first = await walk(start, budget.scannedFirst)
    if (first.rows.length === limit || first.next === undefined || left.pets <= 0) return first
    if (!isPromising(first.rows.length, budget.scannedFirst, search)) {
      const rows = await sortAll()
      if (rows !== undefined) return { rows }
    }
    let found: FoundInOrder = first
    let size = budget.scannedFirst
    while (found.rows.length < limit && found.next !== undefined && left.pets > 0 && left.ms > 0) {
      const msBefore = left.ms
      const { rows, ...end } = await walk(found.next, size)
      found = { rows: [...found.rows, ...rows].slice(0, limit), ...end }
      // As many as the rest of the time allows, after what these took.
      const fitting = (size * left.ms) / Math.max(msBefore - left.ms, 0.1)
      size = Math.round(Math.min(Math.max(fitting, scannedNext.least), scannedNext.most))
    }
    return found
  }

  return (query: Query, limit: number, after: bigint, caller: Caller | undefined): Promise<PetPage> => {
    const search = searchInOrderOf(query, limit, after)
    return readWithin(caller, (mayRead, isNext) =>
      readers.countPending(() =>
        turns.run(
          caller,
          () =>
            readers.hold(
              async (state) => {
                const { rows, ...end } = await find(search, state)
                const whole = await withWholeNames(state, rows.slice(0, limit), mayRead)
                if ('bytes' in whole) return whole
                const found = { rows: [...whole.page, ...rows.slice(limit)], ...end }
                return { page: toPageInOrder(found, search, positionOf) }
              },
              caller,
              isNext,
            ),
          isNext,
        ),
      ),
    )
  }
}

/** The positions before the first pet. No name has the character U+10FFFF. */
const beforeAll = { name: { key: '', id: 0n }, '-name': { key: '\u{10ffff}', id: int64Max } }

/** By the stored words: they may not be those of the name, if another program wrote it. */
function positionOf(row: readonly unknown[]): NameCursor {
  return { id: row[0] as bigint, key: row[walkColumns.key] as string }
}

/** As `pets_by_name` has it. */
const key = 'left(words, 64)'
/** Behind the columns of a pet and the bytes of its name. */
const walkColumns = { key: 5, matches: 6, isLast: 7 }
const columns = `${comparedColumns}, ${key} AS name_key`

interface Parts {
  /** The conditions of the filter, whose values are the first parameters. */
  filter: string[]
  /** The last parameter. */
  last: string
  isBehind: string
  hasWords: string
  order: string
  limit: string
}

/** A statement for each combination of filters. The parameters are the patterns, the position, and the number of pets. */
function statementsOf(what: string, text: (parts: Parts) => string): Record<'name' | '-name', ByFilter<Statement>> {
  const statementsIn = (sort: string, { beyond, order }: Direction) =>
    byFilter((conditions) => {
      const { sql, values } = conditionsSql(conditions)
      const [patterns, afterKey, afterId, limit = '', last = ''] = [1, 2, 3, 4, 5].map((nth) => `$${values + nth}`)
      return {
        name: `${nameOf(what, conditions)}_by_${sort}`,
        text: text({
          filter: sql,
          last,
          isBehind: `(${key}, id) ${beyond} (${afterKey}::text COLLATE "C", ${afterId}::int8)`,
          hasWords: `' ' || words LIKE ALL (${patterns}::text[])`,
          order: `ORDER BY ${key}${order}, id${order}`,
          limit,
        }),
      }
    })
  return { name: statementsIn('name', ascending), '-name': statementsIn('-name', descending) }
}

/**
 * Walks through the next pets in the order of names, until enough match. If there are too few, the last one is among the
 * rows, too, whether it matches or not.
 */
const walks = statementsOf('walk', ({ filter, last, isBehind, hasWords, order, limit }) => {
  const next = `SELECT * FROM pets WHERE ${isBehind} ${order} LIMIT ${last}::int8`
  const walked = `SELECT *, (${[...filter, hasWords].join(' AND ')}) AS matches, row_number() OVER () AS nth FROM (${next}) AS next`
  return `SELECT ${columns}, coalesce(matches, false), nth = ${last}::int8
    FROM (${walked}) AS walked WHERE matches OR nth = ${last}::int8 LIMIT ${limit}`
})

/** All pets with the words that are the last parameter. OFFSET 0 makes the planner use the index of the words. */
const lookUps = statementsOf('sort_with_words', ({ filter, last, isBehind, hasWords, order, limit }) => {
  const found = `SELECT * FROM pets WHERE ${matchesWordsSql(last)} OFFSET 0`
  return sortedSql(found, [...filter, isBehind, hasWords], { order, limit })
})

/** All pets of a list. OFFSET 0 makes the planner use the index of the filter. */
const sortedLists = statementsOf('sort_list', ({ filter, isBehind, hasWords, order, limit }) => {
  const listed = `SELECT * FROM pets WHERE ${['true', ...filter].join(' AND ')} OFFSET 0`
  return sortedSql(listed, [isBehind, hasWords], { order, limit })
})

function sortedSql(
  pets: string,
  conditions: readonly string[],
  { order, limit }: Pick<Parts, 'order' | 'limit'>,
): string {
  return `SELECT ${columns} FROM (${pets}) AS found WHERE ${conditions.join(' AND ')} ${order} LIMIT ${limit}`
}
