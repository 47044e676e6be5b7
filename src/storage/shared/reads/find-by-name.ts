import type { IdSort } from '../../../contract/parameters.ts'
import type { Pet } from '../../../contract/pet.ts'
import type { Page } from '../../../inventory/page.ts'
import type { MemberFilter, NameCursor } from '../../../inventory/pets.ts'
import { type PetRow, toPet } from '../rows/pet-row.ts'
import { toPage } from './page.ts'

/** What one page of a search may cost. Where that ends, the page ends, and says where the next one starts. */
export interface SearchBudget {
  /** The time of the work itself, without the wait for its turn. */
  ms: number
  /** Pets that are compared in the order of the list before the index is used. */
  scannedFirst: number
  /** Pets that are looked at, however fast that is. For tests. */
  pets: number
}

export const defaultBudget: SearchBudget = { ms: 12, scannedFirst: 2_000, pets: Number.MAX_SAFE_INTEGER }

/** A search by name, from a position on. */
export interface Search {
  /** Each is the beginning of a word of the name. */
  words: readonly string[]
  filter: MemberFilter
  sort: IdSort
  after: bigint
  /** How many pets are enough. */
  limit: number
}

/** The same in the order of names. */
export interface SearchInOrder extends Pick<Search, 'words' | 'filter' | 'limit'> {
  sort: 'name' | '-name'
  after?: NameCursor
}

/** A part of a list by name. */
export interface NameRange {
  sort: 'name' | '-name'
  after?: NameCursor
  upTo?: NameCursor
}

export interface Found {
  /** Matching pets, in order by id. */
  rows: PetRow[]
  /** The id after which the search goes on: all pets up to it were compared. Undefined at the end of the list. */
  next?: bigint
}

export interface FoundInOrder {
  /** Matching pets, in the order of names. */
  rows: PetRow[]
  /** Where the search goes on: all pets up to it were compared. Undefined at the end of the list. */
  next?: NameCursor
}

/** The search that goes on where another one ended. */
export function searchAfter(search: Search, { rows, next }: Found & { next: bigint }): Search {
  return { ...search, after: next, limit: search.limit - rows.length }
}

/** Whether more may be found. */
export function mayFindMore(found: Found, { limit }: Search): found is Found & { next: bigint } {
  return found.next !== undefined && found.rows.length < limit
}

/** The page of a search for one pet more than `limit`. It is short if the search has not come to an end. */
export function toFoundPage({ rows, next }: Found, limit: number): Page<Pet> {
  const page = toPage(rows, limit, toPet)
  return page.more || next === undefined ? page : { ...page, more: true, next }
}
