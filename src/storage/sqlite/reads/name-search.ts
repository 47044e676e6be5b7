import type { DatabaseSync } from 'node:sqlite'
import { hasWords, indexCost, maxComparedLength } from '../../../inventory/name-words.ts'
import { ifMatching } from '../../shared/reads/filters.ts'
import {
  type Found,
  mayFindMore,
  type NameRange,
  type Search,
  searchAfter,
  type SearchBudget,
} from '../../shared/reads/find-by-name.ts'
import { collectFirst, type SortKey, sortKeyOf } from '../../shared/reads/name-order.ts'
import { asPet, petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import { isText } from '../../shared/rows/unreadable-row.ts'
import { prepareOneRow } from '../connection/database.ts'
import { decodeText, textBytes } from './large-texts.ts'
import { prepareProposals } from './pet-proposals.ts'
import { prepareWordIndex } from './word-index.ts'

/** Pets per read of a list: from few, which may be large, to as many as one step can read. */
const petsPerRead = { first: 64, most: 1_024 }
/** A read that is faster is followed by a larger one. */
const shortReadMs = 1
/**
 * What is compared whatever the time: a search of a small shop is never short because the machine is busy. In pets with
 * short names; a costly name counts as several (`indexCost`).
 */
const minCost = 256
/** A long name takes longer to compare than to index: up to 200 times as long as a short one. */
const costFactor = 4
/** The columns of a pet, with the part of its name that counts: most of a large name is not compared. */
const comparedColumns = petColumns.replace('name', `substr(name, 1, ${maxComparedLength}) AS name`)
/** Characters of the names found: they are in memory, and are sent between threads, all at once. */
const maxFoundCharacters = 1024 * 1024

export type SearchByName = (search: Search, budget: SearchBudget) => Found

/**
 * Searches by name within a budget. It compares the first pets of the list: if the words are common, that finds enough.
 * If not, the index proposes pets, unless the words are too common for it. Then it goes on comparing the list.
 */
export function prepareSearch(db: DatabaseSync): SearchByName {
  const proposals = prepareProposals(db, comparedColumns)
  const nameOf = prepareOneRow<[Uint8Array]>(db, `SELECT ${textBytes('name')} FROM pets WHERE id = ?`)
  const index = prepareWordIndex(db, comparedColumns)

  /** With its whole name. */
  function withWholeName(row: PetRow): PetRow {
    const [id, name, ...others] = row
    if (name.length < maxComparedLength) return row
    return [id, decodeText(nameOf.get(id)[0]), ...others]
  }

  /** Adds the matching ones of `pets`. Returns the last one that was compared, if the search must end there. */
  function addMatches(pets: Iterable<PetRow>, { words, filter }: Search, matches: Matches, meter: Meter) {
    for (const row of pets) {
      // A damaged row may have no name.
      const isMatch = isText(row[1]) && hasWords(row[1], words) && ifMatching(filter, asPet(row)) !== undefined
      const found = isMatch ? withWholeName(row) : undefined
      if (found !== undefined) matches.add(found)
      meter.count(row[1], found?.[1].length ?? 0)
      if (matches.isFull() || meter.isSpent()) return row[0]
    }
    return undefined
  }

  /**
   * Compares the next pets of the list, in parts, until there are enough or the meter has run out; or until it seems that
   * more than `maxNeeded` would have to be compared.
   */
  function scan(search: Search, meter: Meter, maxNeeded?: number): Found {
    const matches = collect(search)
    let from = search.after
    for (let size = petsPerRead.first; ; ) {
      const count = Math.min(size, meter.petsLeft())
      const startedAt = performance.now()
      const { rows, last } = proposals({ ...search, after: from }, count, matches.range())
      if (performance.now() - startedAt < shortReadMs) size = Math.min(2 * size, petsPerRead.most)
      const end = addMatches(rows, search, matches, meter)
      if (end !== undefined) return { rows: matches.rows(), next: end }
      meter.pass(count - rows.length)
      if (last === undefined) return { rows: matches.rows() }
      const isHopeless = maxNeeded !== undefined && search.limit * meter.compared() > maxNeeded * matches.rows().length
      if (meter.isSpent() || isHopeless) return { rows: matches.rows(), next: last }
      from = last
    }
  }

  /** Compares those that the index proposes. */
  function lookUp(pets: Iterable<PetRow>, search: Search, meter: Meter): Found {
    const matches = collect(search)
    const end = addMatches(pets, search, matches, meter)
    return { rows: matches.rows(), ...(end !== undefined && { next: end }) }
  }

  function find(search: Search, { ms, pets, scannedFirst }: SearchBudget): Found & { compared: number } {
    const mayLookUp = pets > scannedFirst
    const isPage = search.inOrder === undefined
    const firstMeter = openMeter(ms / 2, Math.min(pets, scannedFirst))
    const first =
      mayLookUp && isPage && index.isFaster(search, scannedFirst)
        ? { rows: [], next: search.after }
        : scan(search, firstMeter, mayLookUp && isPage ? scannedFirst : undefined)
    const compared = firstMeter.compared()
    if (!mayFindMore(first, search) || !mayLookUp) return { ...first, compared }
    const rest = searchAfter(search, first)
    const proposed = index.propose(rest)
    // With a time of its own: whatever the first pets took, the index is asked.
    const meter = openMeter(ms / 2 + (proposed === undefined ? firstMeter.msLeft() : 0), pets - compared)
    const { rows, ...end } = proposed === undefined ? scan(rest, meter) : lookUp(proposed, rest, meter)
    return { rows: [...first.rows, ...rows], ...end, compared: compared + meter.compared() }
  }

  return (search, budget) => {
    const before = process.threadCpuUsage()
    const { compared, ...found } = atOneMoment(db, () => find(search, budget))
    const { user, system } = process.threadCpuUsage(before)
    return { ...found, cost: { pets: compared, ms: (user + system) / 1_000 } }
  }
}

interface Matches {
  add(row: PetRow): void
  isFull(): boolean
  rows(): PetRow[]
  /** Which of the following pets are still wanted, in the order of names. */
  range(): NameRange | undefined
}

/** The first matches that are found, or all that are first in the order of names. */
function collect({ limit, inOrder }: Search): Matches {
  if (inOrder === undefined) {
    const rows: PetRow[] = []
    return {
      add: (row) => rows.push(row),
      isFull: () => rows.length === limit,
      rows: () => rows,
      range: () => undefined,
    }
  }
  const first = collectFirst<SortKey & { row: PetRow }>(inOrder, limit)
  return {
    add: (row) => first.add({ ...sortKeyOf(row[0], row[1]), row }),
    isFull: () => false,
    rows: () => first.items.map(({ row }) => row),
    range: first.range,
  }
}

interface Meter {
  /** Counts a pet that was compared, and the characters of its whole name if it is in the result. */
  count(comparedName: string | null, foundCharacters: number): void
  /** Counts pets that the database has compared. */
  pass(pets: number): void
  /** Without those that the database has passed over in the part where the search ended. */
  compared(): number
  petsLeft(): number
  msLeft(): number
  isSpent(): boolean
}

function openMeter(ms: number, pets: number): Meter {
  let endAt: number | undefined
  let left = pets
  let compared = 0
  let cost = 0
  let found = 0
  return {
    count(comparedName, characters) {
      // From the first pet on: the index may take a while to find it.
      endAt ??= performance.now() + ms
      left--
      compared++
      cost += 1 + costFactor * indexCost(comparedName ?? '')
      found += characters
    },
    pass(pets) {
      endAt ??= performance.now() + ms
      left -= pets
      compared += pets
      cost += pets
    },
    compared: () => compared,
    petsLeft: () => left,
    msLeft: () => (endAt === undefined ? ms : Math.max(0, endAt - performance.now())),
    isSpent: () =>
      left <= 0 || found >= maxFoundCharacters || (cost >= minCost && performance.now() >= (endAt ?? Infinity)),
  }
}

/** Runs reads of which each must find the rows of those before it. */
function atOneMoment<Result>(db: DatabaseSync, read: () => Result): Result {
  if (db.isTransaction) return read()
  db.exec('BEGIN')
  try {
    return read()
  } finally {
    // A read of a damaged page may have ended it.
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}
