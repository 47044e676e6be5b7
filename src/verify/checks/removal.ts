import type { Subject } from '../shop/check.ts'
import { Skipped } from '../shop/expect.ts'

/** An id that a shop hardly ever has: far from both ends, where a shop may begin to count. */
export const unknownId = '6407151883362954193'

/** Midnight in UTC of 5 December 2030. */
export const removalTime = Date.UTC(2030, 11, 5)

/** What getPet does after that is not in the contract. */
export function skipAfterRemoval({ shop }: Subject): void {
  if (shop.options.clock() >= removalTime) throw new Skipped('the contract removes getPet on 5 December 2030')
}
