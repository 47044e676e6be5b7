import type { BulkFilter, BulkPetChange } from '../contract/bulk.ts'
import type { Category } from '../contract/category.ts'
import type { Inventory } from '../contract/inventory.ts'
import type { Member } from '../contract/members.ts'
import { type NewPet, type Pet, type PetChange, petMembers, type PetSort, type PetStatus } from '../contract/pet.ts'
import type { Caller } from './caller.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { InventoryByIdPage, InventoryCursor, InventoryPage } from './inventory-page.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

/** `none`: without a status. */
export type StatusFilter = PetStatus | 'none'

/** Filters by the value of a member. */
export interface MemberFilter {
  categoryId?: bigint
  status?: StatusFilter
}

/** The members that filters compare, in the order of the columns of the indexes. */
export const filteredMembers = {
  categoryId: petMembers.categoryId,
  status: petMembers.status,
} satisfies Record<keyof MemberFilter, Member>

export interface PetFilter extends MemberFilter {
  id?: bigint
  /** At most `maxChosen` of them. An id that no pet has is no error. */
  ids?: readonly bigint[]
  /** Every word of this text is the beginning of a word of the pet's name (name-words.ts). */
  name?: string
  /** The name of the import that added the pet. */
  importId?: string
}

/** Which filters `count` knows: those with stored counts, and chosen ids. The compiler refuses the others. */
const isCounted = {
  id: true,
  ids: true,
  categoryId: true,
  status: true,
  name: false,
  importId: false,
} as const satisfies Record<keyof PetFilter, boolean>

type Counted = typeof isCounted
export type CountedFilter = { [Name in keyof PetFilter]: Counted[Name] extends true ? PetFilter[Name] : never }

/** Whether the animals that match can be counted: only if all filters that are given are counted. */
export function canCount(filter: PetFilter): filter is CountedFilter {
  return (Object.keys(isCounted) as (keyof PetFilter)[]).every((name) => isCounted[name] || filter[name] === undefined)
}

export interface PetQuery extends PetFilter {
  /** Also counts all animals that match, if `canCount`. */
  withTotal?: boolean
  /** Default `id`. */
  sort?: PetSort
  /** The page may be JSON, if the storage has it at once. */
  asJson?: boolean
  /** With a sort by name, the key of the animal `after` (name-words.ts). */
  afterKey?: string
}

/** Where a page of a list by name ends. */
export interface NameCursor {
  key: string
  id: bigint
}

export interface PetPage extends Page<Pet> {
  /** With `asJson`: the items, as `encodePet` writes them. Then `items` has none. */
  json?: Buffer
  /** The number of matching animals, of the same moment. With `withTotal`. */
  total?: bigint
  /** With a sort by name: where the next page starts, if that is not the last item. */
  nextByName?: NameCursor
}

export type Creation =
  | { outcome: 'created'; pet: Pet }
  /** The idempotency key was used before: the animal of the first response. */
  | { outcome: 'replayed'; pet: Pet }
  /** The idempotency key was used with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }

/** Which animals are changed together. Every member is a filter of lists, too. */
export type ManyFilter = BulkFilter & Pick<PetFilter, keyof BulkFilter>
/** What is done with each of them. */
export type PetsChange = BulkPetChange | 'delete'

/** The ids that a bulk change has still to look at. */
export interface BulkRange {
  /** The last id that was looked at. */
  after: bigint
  /** The highest id when the first call began. */
  upTo: bigint
}

export interface BulkRequest {
  filter: ManyFilter
  change: PetsChange
  /** Undefined for the first call. */
  from?: BulkRange
  idempotencyKey?: IdempotencyKey | undefined
  author?: string | undefined
}

export interface BulkDone {
  changed: number
  /** Had all these values already. */
  unchanged: number
  /** Have an open order. */
  refused: number
  /** The first of the refused ones. */
  ordered: bigint[]
  /** There may be more: the next call goes on from here. */
  next?: BulkRange
}

export type BulkOutcome =
  | { outcome: 'done'; done: BulkDone }
  /** The idempotency key was used before: what the first call did. */
  | { outcome: 'replayed'; done: BulkDone }
  /** The idempotency key was used with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }

/** Why an animal was not changed or removed. Nothing was written. */
export type Refusal =
  /** No animal has this id. */
  | { outcome: 'missing' }
  /** The precondition failed. */
  | { outcome: 'unmet' }
  /** It has an open order, so its status changes only through the order, and it cannot be removed. */
  | { outcome: 'ordered' }

/**
 * The animals. Every change leaves an event with its author, which is the JSON of `encodeAuthor`, if given.
 * test/storage/pets.test.ts and those beside it, pet-*.test.ts, define it for every engine.
 */
export interface Pets {
  /**
   * At most `limit` matching animals after the id `after`, 0 for the first, in the order of `sort`. The page and its
   * total are one committed state, however long the list takes.
   *
   * With `name` a page has a bounded cost: it may have fewer items than `limit`, or none, and `next` says where it
   * ended. Such searches take turns by `caller`. Without `name` only the last page is short.
   *
   * With `importId` a page has a bounded cost as well, and the sort is by id.
   *
   * A sort by name takes time in proportion to the number of matches. With `name` a page has a bounded cost: it may be
   * short, with `nextByName`.
   */
  list(query: PetQuery, limit: number, after: bigint, caller?: Caller): Promise<PetPage>

  /** The number of matching animals. */
  count(filter: CountedFilter): Promise<bigint>

  /**
   * The counts of all animals, and of the `limit` largest categories with any, all from one moment; equal ones by lower
   * id. Starts after `after`, if given. Takes the same time for any number of animals and categories, also far
   * down the list.
   */
  inventory(limit: number, after?: InventoryCursor): Promise<InventoryPage>

  /**
   * The same of the first `limit` categories that have a name or animals, by id. Starts after the id `after`, if given.
   */
  inventoryById(limit: number, after?: bigint): Promise<InventoryByIdPage>

  /** The counts of all animals, and of these categories, in this order, all from one moment. */
  inventoryOf(categories: readonly Category[]): Promise<Inventory>

  /** Undefined if no animal has this id. */
  find(id: bigint): Promise<Pet | undefined>

  /**
   * Resolves when the animal is on disk, with its new id: one more than the highest ever assigned. With an idempotency
   * key, the response is stored in the same transaction, for a day.
   */
  create(pet: NewPet, idempotencyKey?: IdempotencyKey, author?: string): Promise<Creation>

  /**
   * Resolves when the change is on disk, with the whole animal. The precondition is compared in the transaction of the
   * change, with the tag of `encodePet(pet)`, so no concurrent change is lost. An ineffective change succeeds, also
   * with an open order, and leaves no event.
   */
  update(
    id: bigint,
    change: PetChange,
    precondition?: Precondition,
    author?: string,
  ): Promise<{ outcome: 'updated'; pet: Pet } | Refusal>

  /** Resolves when the animal is removed. Its id is never assigned again. `precondition` as for `update`. */
  remove(id: bigint, precondition?: Precondition, author?: string): Promise<{ outcome: 'removed' } | Refusal>

  /**
   * Changes or removes the first matching animals after `from`, at most `maxBulk`, by the rules of `update` and
   * `remove`, in one transaction with the record of the idempotency key. Each has to match in that transaction. Long
   * names, and a search by name, have a bounded cost: a call may change fewer, or none, and yet have `next`. Animals that
   * are added after the first call are not touched.
   */
  changeMany(request: BulkRequest, caller?: Caller): Promise<BulkOutcome>
}
