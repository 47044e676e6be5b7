import type { NewPet, Pet, PetStatus } from '../contract/pet.ts'

export interface PetFilter {
  status?: PetStatus
  categoryId?: bigint
  id?: bigint
}

export interface Page<Item> {
  items: Item[]
  /** Whether anything follows the last item. */
  more: boolean
}

/** Names one attempt to write, so that a retry of it finds the first answer instead of writing again. */
export interface Attempt {
  /** The API key that the attempt belongs to: two clients may choose the same name. */
  keyId: string
  name: string
  /** Digest of what was asked. The same name with another fingerprint is a mistake of the client's. */
  fingerprint: string
}

export type Creation =
  | { outcome: 'created'; pet: Pet }
  /** The attempt had been made before: the animal as it was then answered. */
  | { outcome: 'replayed'; pet: Pet }
  /** The attempt had been made before, with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }

/** Where animals are kept. test/storage/pets.test.ts defines it for every engine. */
export interface Pets {
  /** At most `limit` animals with an id above `after`, ascending by id, all of them within `filter`. */
  list(filter: PetFilter, limit: number, after: bigint): Promise<Page<Pet>>

  /** How many animals are within `filter`. */
  count(filter: PetFilter): Promise<bigint>

  /** Resolves to undefined when no animal has this id. */
  find(id: bigint): Promise<Pet | undefined>

  /**
   * Resolves once the animal is on disk, with its new id: one more than the highest ever given, never one that was used
   * before. With an `attempt`, that is remembered in the same transaction, for a day.
   */
  create(pet: NewPet, attempt?: Attempt): Promise<Creation>
}
