import type { Subject } from '../shop/check.ts'
import { removalTime, Skipped } from '../shop/expect.ts'

/** An id that a shop hardly ever has: far from both ends, where a shop may begin to count. */
export const unknownId = '6407151883362954193'

/** Whether the contract still has getPet. */
export function isBeforeRemoval(now: number): boolean {
  return now < removalTime
}

/** What getPet does after that is not in the contract. */
export function skipAfterRemoval({ shop }: Subject): void {
  if (shop.options.clock() >= removalTime) throw new Skipped('the contract removes getPet on 5 December 2030')
}
