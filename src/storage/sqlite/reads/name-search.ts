import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { hasWords, indexCost, maxComparedLength } from '../../../inventory/name-words.ts'
import { openCommonWords } from '../../shared/reads/common-words.ts'
import { ifMatching } from '../../shared/reads/filters.ts'
import {
  type Found,
  mayFindMore,
  type Search,
  searchAfter,
  type SearchBudget,
} from '../../shared/reads/find-by-name.ts'
import { keepFirstPlaces, type Place, placeOf } from '../../shared/reads/name-order.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { asPet, petColumns, type PetRow } from '../../shared/rows/pet-row.ts'
import { isText } from '../../shared/rows/unreadable-row.ts'
import { prepareRows } from '../connection/database.ts'
import { decodeText, textBytes } from './large-texts.ts'
import { prepareLists } from './pet-lists.ts'

/** A beginning of words is rare if the index has it fewer times; if all pets are compared, the second number counts. */
const rareBelow = { page: 5_000, all: 20_000 }
/** Words that are counted. A text of 100 characters may have 50. */
const maxCountedWords = 4
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
const comparedColumns = petColumns.replace('name', `substr(name, 1, ${maxComparedLength})`)
/** Characters of the names found: they are in memory, and are sent between threads, all at once. */
const maxFoundCharacters = 1024 * 1024

export type SearchByName = (search: Search, budget: SearchBudget) => Found

/**
 * Searches by name within a budget. It compares the first pets of the list: if the words are common, that finds enough.
 * If not, and a word is rare, the index names all pets that have it. Otherwise it goes on comparing the list: to look
 * up a common word, the index would have to merge all its pets first.
 */
export function prepareSearch(db: DatabaseSync): SearchByName {
  const lists = prepareLists(db, comparedColumns)
  const nameOf = prepareRows(db, `SELECT ${textBytes('name')} FROM pets WHERE id = ?`)
  const byIndex = { id: prepareByIndex(db, ascending), '-id': prepareByIndex(db, descending) }
  const countOf = prepareRows(
    db,
    'SELECT count(*) FROM (SELECT 1 FROM pet_word_list WHERE term >= ?1 AND term <= ?1 || char(0x10ffff) LIMIT (?2 + 0))',
  )
  const common = { page: openCommonWords(), all: openCommonWords() }

  /** The rarest of the longest words, if it is rare. */
  function rareWordOf({ words, inOrder }: Search): string | undefined {
    const wanted = inOrder === undefined ? 'page' : 'all'
    const [known, limit] = [common[wanted], rareBelow[wanted]]
    const counted = words
      .toSorted((one, other) => other.length - one.length)
      .slice(0, maxCountedWords)
      .filter((word) => !known.has(word))
      .map((word) => ({ word, count: Number(countOf.get(word, limit)?.[0]) }))
    for (const { word, count } of counted) if (count >= limit) known.add(word)
    const [rarest] = counted.toSorted((one, other) => one.count - other.count)
    return rarest !== undefined && rarest.count < limit ? rarest.word : undefined
  }

  /** The next pets of the list, read in steps. */
  function* listed({ filter, sort, after }: Search, { petsLeft }: Meter): Generator<PetRow> {
    const { statement, values } = lists[sort](filter)
    let from = boundOf(sort, after)
    for (let size = petsPerRead.first; ; ) {
      const count = Math.min(size, petsLeft())
      const startedAt = performance.now()
      const rows = statement.all(...values, from, count) as unknown as PetRow[]
      if (performance.now() - startedAt < shortReadMs) size = Math.min(2 * size, petsPerRead.most)
      yield* rows
      if (rows.length < count) return
      from = (rows.at(-1) as PetRow)[0]
    }
  }

  /** With its whole name. */
  function toWhole(row: PetRow): PetRow {
    const [id, name, ...others] = row
    if (name.length < maxComparedLength) return row
    return [id, decodeText((nameOf.get(id) as unknown as [Uint8Array])[0]), ...others]
  }

  /** The matching ones of `pets`, until there are enough or the meter has run out. */
  function compare(pets: Iterable<PetRow>, search: Search, meter: Meter): Found {
    const { words, filter } = search
    const matches = collect(search)
    for (const row of pets) {
      // A damaged row may have no name.
      const isMatch = isText(row[1]) && hasWords(row[1], words) && ifMatching(filter, asPet(row)) !== undefined
      const found = isMatch ? toWhole(row) : undefined
      if (found !== undefined) matches.add(found)
      meter.count(row[1], found?.[1].length ?? 0)
      if (matches.isFull() || meter.isSpent()) return { rows: matches.rows(), next: row[0] }
    }
    return { rows: matches.rows() }
  }

  /** Compares the next pets of the list. */
  function scan(search: Search, meter: Meter): Found {
    return compare(listed(search, meter), search, meter)
  }

  /** Compares the pets that the index has for a rare word. */
  function lookUp(search: Search, word: string, meter: Meter): Found {
    // Words have letters and digits only.
    const pets = byIndex[search.sort].iterate(`"${word}" *`, boundOf(search.sort, search.after))
    return compare(pets as Iterable<unknown> as Iterable<PetRow>, search, meter)
  }

  function find(search: Search, { ms, pets, scannedFirst }: SearchBudget): Found & { compared: number } {
    const firstMeter = openMeter(ms / 2, Math.min(pets, scannedFirst))
    const first = scan(search, firstMeter)
    const compared = firstMeter.compared()
    if (!mayFindMore(first, search) || pets <= scannedFirst) return { ...first, compared }
    const rest = searchAfter(search, first)
    // With a time of its own: whatever the first pets took, the index is asked.
    const meter = openMeter(ms / 2, pets - scannedFirst)
    const word = rareWordOf(search)
    const { rows, ...end } = word === undefined ? scan(rest, meter) : lookUp(rest, word, meter)
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
}

/** The first matches that are found, or all that are first in the order of names. */
function collect({ limit, inOrder }: Search): Matches {
  if (inOrder === undefined) {
    const rows: PetRow[] = []
    return { add: (row) => rows.push(row), isFull: () => rows.length === limit, rows: () => rows }
  }
  const first = keepFirstPlaces<Place & { row: PetRow }>(inOrder, limit)
  return {
    add: (row) => first.add({ ...placeOf(row[0], row[1]), row }),
    isFull: () => false,
    rows: () => first.items.map(({ row }) => row),
  }
}

interface Meter {
  /** Counts a pet that was compared, and the characters of its whole name if it is in the result. */
  count(comparedName: string | null, foundCharacters: number): void
  compared(): number
  petsLeft(): number
  isSpent(): boolean
}

function openMeter(ms: number, pets: number): Meter {
  const endAt = performance.now() + ms
  let left = pets
  let compared = 0
  let cost = 0
  let found = 0
  return {
    count(comparedName, characters) {
      left--
      compared++
      cost += 1 + costFactor * indexCost(comparedName ?? '')
      found += characters
    },
    compared: () => compared,
    petsLeft: () => left,
    isSpent: () => left <= 0 || found >= maxFoundCharacters || (cost >= minCost && performance.now() >= endAt),
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

// CROSS JOIN: the index names the pets, in their order.
function prepareByIndex(db: DatabaseSync, { beyond, order }: Direction): StatementSync {
  return prepareRows(
    db,
    `SELECT ${comparedColumns} FROM pet_words CROSS JOIN pets ON pets.id = pet_words.rowid
      WHERE pet_words MATCH ? AND pet_words.rowid ${beyond} ? ORDER BY pet_words.rowid${order}`,
  )
}
