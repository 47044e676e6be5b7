import { nameKey, searchWords } from '../../../inventory/name-words.ts'
import type { CountedFilter, NameCursor, PetPage, PetQuery } from '../../../inventory/pets.ts'
import { type PetRow, toPet } from '../rows/pet-row.ts'
import { decodeReadable, isText } from '../rows/unreadable-row.ts'
import { memberFilterOf } from './filters.ts'
import type { FoundInOrder, SearchInOrder } from './find-by-name.ts'
import { comparisonOf, type SortKey } from './name-order.ts'

/** About how many pets in the order of names a page walks through: an estimate, its budget decides. */
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

/**
 * The page of a search for one pet more than its limit. It is short if the search has not come to an end. `positionOf`
 * tells where the engine has a row in its order.
 */
export function toPageInOrder(
  { rows, next }: FoundInOrder,
  { sort, after, limit }: SearchInOrder,
  positionOf: (row: PetRow) => NameCursor = cursorOf,
): PetPage {
  const page = rows.slice(0, limit - 1)
  const last = rows.length > page.length ? page.at(-1) : undefined
  const nextByName = last === undefined ? next : positionOf(last)
  if (nextByName !== undefined && after !== undefined) refuseBackwards(sort, after, nextByName)
  const items = decodeReadable(page, toPet)
  return { items, more: nextByName !== undefined, ...(nextByName && { nextByName }) }
}

/** Otherwise a damaged index could lead a client in circles. */
function refuseBackwards(sort: SearchInOrder['sort'], after: NameCursor, next: NameCursor): void {
  const [one, other] = [after, next].map(({ id, key }) => ({ id, key: Buffer.from(key) })) as [SortKey, SortKey]
  if (comparisonOf(sort)(one, other) < 0) return
  throw new Error('The index of names is damaged: a page would not go forwards. Run petstore check.')
}

/** A damaged row may have no name. */
export function cursorOf([id, name]: PetRow): NameCursor {
  return { id, key: isText(name) ? nameKey(name) : '' }
}
