import type { Subject } from '../shop/check.ts'
import { isBeforeRemoval } from './removal.ts'

/** More ids than these between two animals are not looked at. */
const maxBetween = 40n

/** Reads what the creates between two animals may have added, if the shop counts. Lists come later. */
export async function readBetween(first: bigint, last: bigint, { shop }: Subject): Promise<void> {
  const [low, high] = first < last ? [first, last] : [last, first]
  if (high - low <= maxBetween && isBeforeRemoval(shop.options.clock()))
    for (let id = low + 1n; id <= high + 1n; id++) await shop.get(id)
}
