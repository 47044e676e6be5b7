import type { IdSort } from '../../../contract/parameters.ts'
import { nextTurn } from '../../../inventory/loop-steps.ts'
import { hasWords, searchWords } from '../../../inventory/name-words.ts'
import type { Page } from '../../../inventory/page.ts'
import type { PetFilter } from '../../../inventory/pets.ts'
import type { PetRow } from '../rows/pet-row.ts'

/** A part of a search by name, of bounded work. The parts before it have read up to `after`. */
export interface SearchPart {
  /** Each is the beginning of a word of the name. */
  words: readonly string[]
  filter: Pick<PetFilter, 'status' | 'categoryId'>
  sort: IdSort
  after: bigint
  /** How many pets are enough. */
  limit: number
  /** 0 for the first part. */
  number: number
}

export interface FoundPart {
  /** Matching pets, in order. */
  rows: PetRow[]
  /** Where the next part starts. Undefined at the end of the list. */
  next?: bigint
}

interface Search {
  filter: PetFilter & { name: string }
  sort: IdSort
  after: bigint
  limit: number
}

/** At most `limit` pets with the words of the name. */
export async function findByName(
  { filter: { name, status, categoryId }, sort, after, limit }: Search,
  findPart: (part: SearchPart) => Promise<FoundPart>,
): Promise<PetRow[]> {
  const words = searchWords(name)
  const filter = { ...(status && { status }), ...(categoryId !== undefined && { categoryId }) }
  const found: PetRow[] = []
  let from: bigint | undefined = after
  for (let number = 0; from !== undefined && found.length < limit; number++) {
    const { rows, next }: FoundPart = await findPart({
      words,
      filter,
      sort,
      after: from,
      limit: limit - found.length,
      number,
    })
    found.push(...rows)
    from = next
  }
  return found
}

interface Named {
  id: bigint
  name: string
}

/** Items per read: few enough that the event loop is not blocked for long. */
const itemsPerRead = 500

/** A page of the items of a list that have the words of the name, for a list that has no index of words. */
export async function filterByName<Item extends Named>(
  name: string,
  limit: number,
  start: bigint | undefined,
  read: (limit: number, after: bigint | undefined) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const words = searchWords(name)
  const items: Item[] = []
  let after = start
  for (let more = true; more && items.length <= limit; ) {
    const page = await read(itemsPerRead, after)
    items.push(...page.items.filter((item) => hasWords(item.name, words)))
    after = page.next ?? page.items.at(-1)?.id
    more = page.more
    if (more) await nextTurn()
  }
  return { items: items.slice(0, limit), more: items.length > limit }
}
