import type { DatabaseSync } from 'node:sqlite'
import type { NameCursor } from '../../../inventory/pets.ts'
import type { FoundInOrder, SearchBudget, SearchInOrder } from '../../shared/reads/find-by-name.ts'
import { collectFirst, type SortKey, sortKeyOf } from '../../shared/reads/name-order.ts'
import { cursorOf, isPromising, mayBeSorted } from '../../shared/reads/sorted-search.ts'
import type { PetRow } from '../../shared/rows/pet-row.ts'
import { atOneMoment, comparedColumns, isMatch, prepareWholeName } from './name-search.ts'
import { prepareWalk } from './name-walk.ts'
import { petReadsOn } from './pet-reads.ts'
import { prepareProposals } from './pet-proposals.ts'
import { maxFoundCharacters, type Meter, openMeter } from './search-meter.ts'
import { prepareWordIndex } from './word-index.ts'

/** Pets of a part of the walk: from few, which may be enough, to as many as one step can read. */
const petsPerPart = { first: 128, most: 8_192 }
const petsPerRead = 1_024

export type SearchByNameInOrder = (search: SearchInOrder, budget: SearchBudget) => FoundInOrder

/**
 * Searches in the order of names within a budget. It walks through the names: if the words are common, that finds enough.
 * If not, and few pets are of the list or have the words, all of these are compared and sorted. Otherwise it walks on.
 */
export function prepareSortedSearch(db: DatabaseSync): SearchByNameInOrder {
  const walkByName = prepareWalk(db, comparedColumns)
  const index = prepareWordIndex(db, comparedColumns)
  const proposals = prepareProposals(db, comparedColumns)
  const withWholeName = prepareWholeName(db)
  const { count } = petReadsOn(db)

  /** Adds the next matches to `rows`. Returns where it ends, if that is not the end of the list. */
  function walk(search: SearchInOrder, rows: PetRow[], meter: Meter): NameCursor | undefined {
    let { after } = search
    for (let size = petsPerPart.first; ; size = Math.min(2 * size, petsPerPart.most)) {
      const { proposed, passed, end } = walkByName(
        { ...search, ...(after && { after }) },
        Math.min(size, meter.petsLeft()),
      )
      const before = meter.compared()
      for (const row of proposed) {
        if (isMatch(row, search)) rows.push(row)
        meter.count(row[1], 0)
        if (rows.length === search.limit || meter.isSpent()) return cursorOf(row)
      }
      meter.pass(Math.max(0, passed - (meter.compared() - before)))
      if (end === undefined || meter.isSpent()) return end
      after = end
    }
  }

  /** Undefined if the meter runs out. */
  function sortMatching(
    pets: Iterable<PetRow>,
    search: SearchInOrder,
    first: Matches,
    meter: Meter,
  ): Matches | undefined {
    for (const row of pets) {
      if (isMatch(row, search)) first.add({ ...sortKeyOf(row[0], row[1]), row })
      meter.count(row[1], 0)
      if (meter.isSpent()) return undefined
    }
    return first
  }

  function sortList(search: SearchInOrder, meter: Meter): Matches | undefined {
    const first = collect(search)
    for (let after: bigint | undefined = 0n; after !== undefined; ) {
      const { rows, last }: ReturnType<typeof proposals> = proposals(
        { ...search, sort: 'id', after },
        petsPerRead,
        first.range(),
      )
      if (sortMatching(rows, search, first, meter) === undefined) return undefined
      after = last
    }
    return first
  }

  /** The first of all matches. Undefined if that would take too long. */
  function sortAll(search: SearchInOrder, meter: Meter): PetRow[] | undefined {
    const proposed = index.proposeAll(search.words)
    const first =
      (proposed && sortMatching(proposed, search, collect(search), meter)) ??
      (mayBeSorted(search, count) ? sortList(search, meter) : undefined)
    return first?.items.map(({ row }) => row)
  }

  function find(search: SearchInOrder, { ms, pets, scannedFirst }: SearchBudget): FoundInOrder {
    const rows: PetRow[] = []
    const first = openMeter(ms / 2, Math.min(pets, scannedFirst), cpuMs)
    const next = walk(search, rows, first)
    if (next === undefined || rows.length === search.limit || pets <= scannedFirst) return found(rows, next)
    const left = pets - first.compared()
    // With a time of its own: whatever the first pets took, all matches are sorted if they are few.
    const sorted = isPromising(rows.length, first.compared(), search)
      ? undefined
      : sortAll(search, openMeter(ms, left, cpuMs))
    if (sorted !== undefined) return { rows: sorted }
    return found(rows, walk({ ...search, after: next }, rows, openMeter(ms / 2 + first.msLeft(), left, cpuMs)))
  }

  /** With whole names, as many as may be in memory at once. */
  function complete({ rows, ...end }: FoundInOrder): FoundInOrder {
    let characters = 0
    const whole: PetRow[] = []
    for (const row of rows) {
      if (characters >= maxFoundCharacters) return found(whole, cursorOf(whole.at(-1) as PetRow))
      const complete = withWholeName(row)
      characters += complete[1].length
      whole.push(complete)
    }
    return { rows: whole, ...end }
  }

  return (search, budget) => atOneMoment(db, () => complete(find(search, budget)))
}

/** Of this thread: a busy machine makes no page shorter. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

type Matches = ReturnType<typeof collect>

function collect({ sort, after, limit }: SearchInOrder) {
  return collectFirst<SortKey & { row: PetRow }>({ sort, ...(after && { after }) }, limit)
}

function found(rows: PetRow[], next: NameCursor | undefined): FoundInOrder {
  return { rows, ...(next && { next }) }
}
