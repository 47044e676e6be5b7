import type { Caller } from './caller.ts'
import { endOf } from './page.ts'
import type { Pets } from './pets.ts'

/** The highest id of a pet, 0 without any. */
export async function highestId(list: Pets['list'], caller?: Caller): Promise<bigint> {
  const page = await list({ sort: '-id' }, 1, 0n, caller)
  // A damaged row is left out, and yet the others are below it.
  return page.items[0]?.id ?? endOf(page) ?? 0n
}
