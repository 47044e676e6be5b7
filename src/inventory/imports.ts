import type { NewPet } from '../contract/pet.ts'
import type { CategoryMatch } from './category-names.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

/** How far an import is: the stored response of its idempotency key, which `fingerprint` identifies. */
export interface ImportStep {
  key: IdempotencyKey
  /** The fingerprint of the stored step that this one replaces, undefined for the first step of a key. */
  before: string | undefined
  body: string
}

/** The latest step of an import. */
export type StoredStep = Pick<ImportStep['key'], 'fingerprint'> & Pick<ImportStep, 'body'>

/** A pet to add. With `newCategory`, an index into the categories of the import, `categoryId` does not count. */
export type ImportedPet = NewPet & { newCategory?: number }

/** Pets to add: an array, or parts that are still being read. */
export type ImportedPets = readonly ImportedPet[] | AsyncIterable<readonly ImportedPet[]>

/** A category that a file calls by its name. */
export interface NamedCategory {
  name: string
  /** What `findCategories` found. Undefined: it is to be made, if the name is still missing. */
  id?: bigint
}

/** Adds many pets. test/storage/imports.test.ts defines it for every engine. */
export interface Imports {
  /** Pets with short names per batch, fewer if their names have many words (indexCost): enough to make each cheap, few enough that other writers do not wait long. */
  readonly batchSize: number

  /**
   * Resolves when these pets are on disk, with ids in order: all, or after a rejection none, unless the error says
   * `mayHaveSucceeded`. Rejects with what reading them throws. Parts are kept in the database until all are read,
   * invisible; on PostgreSQL other calls wait meanwhile, so parts must not wait for a client of the service.
   *
   * The step is asked for when all pets are read, and stored in the same transaction. Resolves to false, and adds
   * nothing, if it does not replace the stored one: another import with its key was faster. A step is stored for a day,
   * one of the command line for ever (`commandLineKeyId`). `author` as for `Pets`.
   *
   * The categories are asked for when all pets are read, too. Rejects as `unavailable` if one of these names stands for
   * another category now than when it was found. Those without an id are made in the same transaction, unless there is
   * one by now: then it is used.
   */
  add(
    pets: ImportedPets,
    step?: () => ImportStep | undefined,
    author?: string,
    categories?: () => readonly NamedCategory[],
  ): Promise<boolean>

  /** What each of these names stands for, in the same order: a category of this name, else one that differs in case and accents. */
  findCategories(names: readonly string[]): Promise<CategoryMatch[]>

  /** The latest step of this key, undefined if there is none, or if it has expired. */
  stepOf(key: Pick<IdempotencyKey, 'keyId' | 'name'>): Promise<StoredStep | undefined>
}
