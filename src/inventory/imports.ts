import type { NewPet } from '../contract/pet.ts'
import type { Caller } from './caller.ts'
import type { CategoryMatch } from './category-names.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Page } from './page.ts'
import type { StoredImport } from './stored-import.ts'

/** How far an import is: the stored response of its idempotency key, which `fingerprint` identifies. */
export interface ImportStep {
  key: IdempotencyKey
  /** The fingerprint of the stored step that this one replaces, undefined for the first step of a key. */
  before: string | undefined
  body: string
}

/** `isListed`: all its events are kept. */
export type FoundImport = StoredImport & { isListed: boolean }

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

/** The import that the pets of a call belong to, and what is counted with them. */
export interface ImportPart {
  /** Identifies the import. Many calls may add to it, but only of the key that used the name first. */
  name: string
  keyId: string
  keyName: string
  /** The number of rows that were rejected since the call before. */
  rejected: number
  /** Whether it is the last call of its request. Otherwise the import is running. */
  isLast: boolean
  /** Whether it is the first call of its request, too. If the import is running, that is another request. */
  isOnly?: boolean
  /** Of all pets of the request. With the last call. */
  digest?: string | undefined
}

/** Which pets of an import are removed. */
export interface UndoRequest {
  name: string
  /** The id of the last pet that was looked at, 0 for the first call. */
  after: bigint
  idempotencyKey?: IdempotencyKey | undefined
  author?: string | undefined
}

export interface UndoDone {
  removed: number
  /** Stay, because they were changed or ordered since. */
  kept: number
  /** The first of them. */
  keeps: { id: bigint; reason: 'changed' | 'ordered' }[]
  /** There may be more: the next call goes on after this pet. */
  next?: bigint
}

export type Undo =
  | { outcome: 'done'; done: UndoDone }
  /** The idempotency key was used before: what the first call did. */
  | { outcome: 'replayed'; done: UndoDone }
  /** Nothing was written: no import has this name, some of its events are not kept any more, or it is running. */
  | { outcome: 'missing' }
  | { outcome: 'expired' }
  | { outcome: 'running' }
  /** The idempotency key was used with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }

/** Adds many pets. test/storage/imports.test.ts defines it for every engine. */
export interface Imports {
  /**
   * Pets with short names per batch, fewer if their names have many words (indexCost): enough to make each cheap, few
   * enough that other writers do not wait long.
   */
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
   *
   * The part is asked for with the step, and stored with it. Rejects as `conflict` if the import of its name belongs to
   * another key, was undone, or is not listed any more.
   */
  add(
    pets: ImportedPets,
    step?: () => ImportStep | undefined,
    author?: string,
    categories?: () => readonly NamedCategory[],
    part?: () => ImportPart | undefined,
  ): Promise<boolean>

  /**
   * What each of these names stands for, in the same order: a category of this name, else one that differs in case and
   * accents.
   */
  findCategories(names: readonly string[]): Promise<CategoryMatch[]>

  /** The latest step of this key, undefined if there is none, or if it has expired. */
  stepOf(key: Pick<IdempotencyKey, 'keyId' | 'name'>): Promise<StoredStep | undefined>

  /** At most `limit` imports before the id `before`, 0 for the newest, whose events are all kept. The newest first. */
  list(limit: number, before: bigint, caller?: Caller): Promise<Page<StoredImport>>

  /** Undefined if no import has this name. Also one that is not listed any more. */
  find(name: string): Promise<FoundImport | undefined>

  /**
   * The newest listed import with a request of this digest that was not undone, and is not `except`: two parts of an
   * import may be equal.
   */
  findByDigest(digest: string, except?: string): Promise<StoredImport | undefined>

  /**
   * Removes the next pets of an import, in one transaction with the record of the idempotency key: those that have no
   * event but that of their creation, and no open order. At most `maxBulk`, fewer if their names are long. From the
   * first call on nothing is added to the import. With the last one it is undone.
   */
  undo(request: UndoRequest, caller?: Caller): Promise<Undo>

  /**
   * Deletes what is stored of the oldest imports whose events are not kept any more, a limited number at a time; resolves
   * to the number of rows. That there was such an import is known for `endedImportMs`.
   */
  forget(): Promise<number>
}
