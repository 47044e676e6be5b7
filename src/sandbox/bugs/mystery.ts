import type { Bug } from './bug.ts'
import { findBug } from './catalogue.ts'

/**
 * What a mystery is made of: one bug of each line. They can be found from outside, and none hides another one. The lists
 * never change, not even at their ends: a seed stands for the same three bugs for ever.
 */
const choices: readonly (readonly string[])[] = [
  [
    'limit-101-accepted',
    'limit-0-accepted',
    'unknown-status-ignored',
    'name-not-required',
    'category-as-text',
    'status-in-capitals-accepted',
    'slash-at-the-end',
    'default-limit-25',
    'error-status-differs',
    'unknown-animal-is-null',
    'status-set-by-default',
  ],
  [
    'page-repeats-a-row',
    'filter-forgotten-on-page-2',
    'int64-rounded',
    'emoji-lost',
    'etag-never-changes',
    'if-match-ignored',
    'another-body-replayed',
    'location-of-the-next',
    'cancelled-stays-pending',
    'patch-removes-the-status',
    'deletes-leave-no-event',
  ],
  [
    'page-skips-after-delete',
    'last-animal-not-paged',
    'list-etag-of-ids',
    'key-forgotten-after-error',
    'key-without-case',
    'after-skips-one',
    'id-used-again',
    'smallest-category-fails',
    'cut-at-64-kib',
    'weak-tags-match',
    'names-normalized',
  ],
]

export const maxMysterySeed = 999_999

/** The three bugs of a seed: always the same. */
export function mysteryOf(seed: number): readonly Bug[] {
  return choices.map((names, index) => findBug(names[digest(seed, index) % names.length] as string) as Bug)
}

/** Mixes a seed and an index to a number of 32 bits (the finish of MurmurHash3). */
function digest(seed: number, index: number): number {
  let mixed = seed * 3 + index
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
