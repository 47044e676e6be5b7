import type { DatabaseSync } from 'node:sqlite'
import { hasWords, maxComparedLength } from '../../../inventory/name-words.ts'
import { ifMatching } from '../../shared/reads/filters.ts'
import {
  type Found,
  mayFindMore,
  type Search,
  searchAfter,
  type SearchBudget,
} from '../../shared/reads/find-by-name.ts'
import { asPet, petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import { isText } from '../../shared/rows/unreadable-row.ts'
import { prepareOneRow } from '../connection/database.ts'
import { decodeText, textBytes } from './large-texts.ts'
import { prepareProposals } from './pet-proposals.ts'
import { type Meter, openMeter } from './search-meter.ts'
import { prepareWordIndex } from './word-index.ts'

/** Pets per read of a list: from few, which may be large, to as many as one step can read. */
const petsPerRead = { first: 64, most: 1_024 }
/** A read that is faster is followed by a larger one. */
const shortReadMs = 1
/** The columns of a pet, with the part of its name that counts: most of a large name is not compared. */
export const comparedColumns = petColumns.replace('name', `substr(name, 1, ${maxComparedLength}) AS name`)
export type SearchByName = (search: Search, budget: SearchBudget) => Found

/**
 * Searches by name within a budget. It compares the first pets of the list: if the words are common, that finds enough.
 * If not, the index proposes pets, unless the words are too common for it. Then it goes on comparing the list.
 */
export function prepareSearch(db: DatabaseSync): SearchByName {
  const proposals = prepareProposals(db, comparedColumns)
  const index = prepareWordIndex(db, comparedColumns)
  const withWholeName = prepareWholeName(db)

  /** Adds the matching ones of `pets`. Returns the last one that was compared, if the search must end there. */
  function addMatches(pets: Iterable<PetRow>, search: Search, matches: PetRow[], meter: Meter) {
    for (const row of pets) {
      const found = isMatch(row, search) ? withWholeName(row) : undefined
      if (found !== undefined) matches.push(found)
      meter.count(row[1], found?.[1].length ?? 0)
      if (matches.length === search.limit || meter.isSpent()) return row[0]
    }
    return undefined
  }

  /**
   * Compares the next pets of the list, in parts, until there are enough or the meter has run out; or until it seems that
   * more than `maxNeeded` would have to be compared.
   */
  function scan(search: Search, meter: Meter, maxNeeded?: number): Found {
    const matches: PetRow[] = []
    let from = search.after
    for (let size = petsPerRead.first; ; ) {
      const count = Math.min(size, meter.petsLeft())
      const startedAt = performance.now()
      const { rows, last } = proposals({ ...search, after: from }, count, undefined)
      if (performance.now() - startedAt < shortReadMs) size = Math.min(2 * size, petsPerRead.most)
      const end = addMatches(rows, search, matches, meter)
      if (end !== undefined) return { rows: matches, next: end }
      meter.pass(count - rows.length)
      if (last === undefined) return { rows: matches }
      const isHopeless = maxNeeded !== undefined && search.limit * meter.compared() > maxNeeded * matches.length
      if (meter.isSpent() || isHopeless) return { rows: matches, next: last }
      from = last
    }
  }

  /** Compares those that the index proposes. */
  function lookUp(pets: Iterable<PetRow>, search: Search, meter: Meter): Found {
    const matches: PetRow[] = []
    const end = addMatches(pets, search, matches, meter)
    return { rows: matches, ...(end !== undefined && { next: end }) }
  }

  function find(search: Search, { ms, pets, scannedFirst }: SearchBudget): Found {
    const mayLookUp = pets > scannedFirst
    const firstMeter = openMeter(ms / 2, Math.min(pets, scannedFirst))
    const first =
      mayLookUp && index.isFaster(search, scannedFirst)
        ? { rows: [], next: search.after }
        : scan(search, firstMeter, mayLookUp ? scannedFirst : undefined)
    if (!mayFindMore(first, search) || !mayLookUp) return first
    const rest = searchAfter(search, first)
    const proposed = index.propose(rest)
    // With a time of its own: whatever the first pets took, the index is asked.
    const meter = openMeter(ms / 2 + (proposed === undefined ? firstMeter.msLeft() : 0), pets - firstMeter.compared())
    const { rows, ...end } = proposed === undefined ? scan(rest, meter) : lookUp(proposed, rest, meter)
    return { rows: [...first.rows, ...rows], ...end }
  }

  return (search, budget) => atOneMoment(db, () => find(search, budget))
}

/** Whether a pet with `comparedColumns` matches. A damaged row may have no name. */
export function isMatch(row: PetRow, { words, filter }: Pick<Search, 'words' | 'filter'>): boolean {
  return isText(row[1]) && hasWords(row[1], words) && ifMatching(filter, asPet(row)) !== undefined
}

/** Completes a pet with `comparedColumns`. */
export function prepareWholeName(db: DatabaseSync): (row: PetRow) => PetRow {
  const nameOf = prepareOneRow<[Uint8Array]>(db, `SELECT ${textBytes('name')} FROM pets WHERE id = ?`)
  return (row) => {
    const [id, name, ...others] = row
    return name.length < maxComparedLength ? row : [id, decodeText(nameOf.get(id)[0]), ...others]
  }
}

/** Runs reads of which each must find the rows of those before it. */
export function atOneMoment<Result>(db: DatabaseSync, read: () => Result): Result {
  if (db.isTransaction) return read()
  db.exec('BEGIN')
  try {
    return read()
  } finally {
    // A read of a damaged page may have ended it.
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}
