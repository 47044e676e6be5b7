import { indexCost } from '../../../inventory/name-words.ts'

/**
 * What is compared whatever the time: a search of a small shop is never short because the machine is busy. In pets with
 * short names; a costly name counts as several (`indexCost`).
 */
const minCost = 256
/** A long name takes longer to compare than to index: up to 200 times as long as a short one. */
const costFactor = 4
/** Characters of the names found: they are in memory, and are sent between threads, all at once. */
export const maxFoundCharacters = 1024 * 1024

/** What a search may still cost. */
export interface Meter {
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

/** `now` is in milliseconds. */
export function openMeter(ms: number, pets: number, now = () => performance.now()): Meter {
  let endAt: number | undefined
  let left = pets
  let compared = 0
  let cost = 0
  let found = 0
  return {
    count(comparedName, characters) {
      // From the first pet on: the index may take a while to find it.
      endAt ??= now() + ms
      left--
      compared++
      cost += 1 + costFactor * indexCost(comparedName ?? '')
      found += characters
    },
    pass(pets) {
      endAt ??= now() + ms
      left -= pets
      compared += pets
      cost += pets
    },
    compared: () => compared,
    petsLeft: () => left,
    msLeft: () => (endAt === undefined ? ms : Math.max(0, endAt - now())),
    isSpent: () => left <= 0 || found >= maxFoundCharacters || (cost >= minCost && now() >= (endAt ?? Infinity)),
  }
}
