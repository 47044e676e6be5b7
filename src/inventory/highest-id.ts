import type { Caller } from './caller.ts'
import { endOf } from './page.ts'
import type { Pets } from './pets.ts'

/** The highest id of a pet, 0 without any. */
export async function highestId(list: Pets['list'], caller?: Caller): Promise<bigint> {
  const page = await list({ sort: '-id' }, 1, 0n, caller)
  // A damaged row is left out of the page, and its id may be the highest.
  return page.items[0]?.id ?? endOf(page) ?? 0n
}
