import type { IdSort } from '../contract/parameters.ts'
import type { Inventory } from '../contract/inventory.ts'
import type { NewPet, Pet, PetChange, PetStatus } from '../contract/pet.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

export interface PetFilter {
  status?: PetStatus
  categoryId?: bigint
  id?: bigint
}

export interface PetQuery extends PetFilter {
  /** `id` unless given. */
  sort?: IdSort
}

export type Creation =
  | { outcome: 'created'; pet: Pet }
  /** The idempotency key was used before: the animal as it was then answered. */
  | { outcome: 'replayed'; pet: Pet }
  /** The idempotency key was used before, with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }

/** Why an animal was not changed or removed. Nothing was written. */
export type Refusal =
  /** No animal has this id. */
  | { outcome: 'missing' }
  /** The precondition does not hold. */
  | { outcome: 'unmet' }
  /** It has an open order, which alone may change its status or let it go. */
  | { outcome: 'ordered' }

/** Where animals are kept. test/storage/pets.test.ts defines it for every engine. */
export interface Pets {
  /**
   * At most `limit` animals that follow the id `after`, 0 for the first, in the order of `sort`, all of them within the
   * filter. `history` is the one that `after` was read in; where that was lost, it rejects as `gone`.
   */
  list(query: PetQuery, limit: number, after: bigint, history?: string): Promise<Page<Pet>>

  /** How many animals are within `filter`. */
  count(filter: PetFilter): Promise<bigint>

  /**
   * How many animals there are, all counts at one moment, and at most `limit` categories that have any: the largest first,
   * of equal ones that with the lower id. Takes the same time for any number of animals and categories.
   */
  inventory(limit: number): Promise<Inventory>

  /** Resolves to undefined when no animal has this id. */
  find(id: bigint): Promise<Pet | undefined>

  /**
   * Resolves once the animal is on disk, with its new id: one more than the highest ever given, never one that was used
   * before. With an idempotency key, the answer is remembered in the same transaction, for a day.
   */
  create(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<Creation>

  /**
   * Resolves once the change is on disk, with all of the animal as it is now. The precondition is compared in the
   * transaction of the change, with the tag of `encodePet(pet)`: nobody else's change is lost. A change that changes nothing succeeds, also while there is an open order, and leaves no event.
   */
  update(
    id: bigint,
    change: PetChange,
    precondition?: Precondition,
  ): Promise<{ outcome: 'updated'; pet: Pet } | Refusal>

  /** Resolves once the animal is gone. Its id is never given again. `precondition` as with `update`. */
  remove(id: bigint, precondition?: Precondition): Promise<{ outcome: 'removed' } | Refusal>
}
