import { nameKey, searchWords } from '../../../inventory/name-words.ts'
import type { CountedFilter, PetPage, PetQuery } from '../../../inventory/pets.ts'
import { type PetRow, toPet } from '../rows/pet-row.ts'
import { decodeReadable, isText } from '../rows/unreadable-row.ts'
import { memberFilterOf } from './filters.ts'
import type { FoundInOrder, SearchInOrder } from './find-by-name.ts'

/** A page may walk through as many pets in the order of names. */
const maxWalked = 20_000
/** A list of at most as many pets is compared and sorted as a whole, if a walk would take longer. */
const maxSorted = 10_000

export function searchInOrderOf(query: PetQuery & { name: string }, limit: number, after: bigint): SearchInOrder {
  return {
    words: searchWords(query.name),
    filter: memberFilterOf(query),
    sort: query.sort === '-name' ? '-name' : 'name',
    // One more shows whether there is a next page.
    limit: limit + 1,
    ...(query.afterKey !== undefined && { after: { key: query.afterKey, id: after } }),
  }
}

/** Whether a walk that found `matches` among the first pets will probably fill the page. */
export function isPromising(matches: number, compared: number, { limit }: SearchInOrder): boolean {
  return matches * maxWalked >= limit * compared
}

/** Whether the list is short enough to be sorted. `count` tells how many pets it has. */
export function mayBeSorted({ filter }: SearchInOrder, count: (filter: CountedFilter) => bigint): boolean {
  return Object.keys(filter).length > 0 && count(filter) <= maxSorted
}

/** The page of a search for one pet more than `limit`. It is short if the search has not come to an end. */
export function toPageInOrder({ rows, next }: FoundInOrder, limit: number): PetPage {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const nextByName = last === undefined ? next : cursorOf(last)
  const items = decodeReadable(page, toPet)
  return { items, more: nextByName !== undefined, ...(nextByName && { nextByName }) }
}

/** A damaged row may have no name. */
function cursorOf([id, name]: PetRow) {
  return { id, key: isText(name) ? nameKey(name) : '' }
}
