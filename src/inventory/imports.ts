import type { NewPet } from '../contract/pet.ts'
import type { IdempotencyKey } from './idempotency-key.ts'

/** A range of rows of one file, recorded as done together with its animals. */
export interface ImportStep {
  /** Identifies the file by a digest of its content. */
  source: string
  /** The number of rows done before and after this step. */
  from: number
  to: number
  /** Whether these are the last rows of the file. */
  last: boolean
}

export interface ImportProgress {
  /** The number of rows done, from the first. */
  rows: number
  finished: boolean
}

/**
 * The progress of an import with an idempotency key: the stored response of the key, which `fingerprint` identifies.
 */
export interface KeyedStep {
  key: IdempotencyKey
  /** The fingerprint of the step before, undefined for the first step. */
  before: string | undefined
  body: string
}

/** The latest step of an import with an idempotency key. */
export type StoredStep = Pick<KeyedStep['key'], 'fingerprint'> & Pick<KeyedStep, 'body'>

/**
 * Adds many pets. `stage` and `addStaged` are for one import at a time, which may take any number of pets at once;
 * `add` is for any number of them. test/storage/imports.test.ts and keyed-imports.test.ts define it for every engine.
 */
export interface Imports {
  /** Pets with short names per batch, fewer if their names have many words (indexCost): enough to make each cheap, few enough that other writers do not wait long. */
  readonly batchSize: number

  /**
   * Stages pets for `addStaged`, in order. They are invisible, and closing the storage discards them. After a rejection
   * nothing is staged.
   */
  stage(pets: readonly NewPet[]): Promise<void>

  /**
   * Resolves when all staged pets are on disk, with ids in order. After a rejection none of them is, unless the error
   * says `mayHaveSucceeded`, and nothing is staged. Rejects if not exactly `count` pets are staged: some were lost. A
   * `step` is recorded in the same transaction. Resolves to false, and adds nothing, if the step does not continue the
   * last one of its source: another import of the same source is running. A step from 0 starts a new import, or repeats
   * a finished one. `author` as for `Pets`.
   */
  addStaged(count: number, step?: ImportStep, author?: string): Promise<boolean>

  /**
   * Resolves when these pets are on disk, with ids in order: all, or after a rejection none, unless the error says
   * `mayHaveSucceeded`. A `step` is stored in the same transaction, for a day. Resolves to false, and adds nothing, if
   * it does not continue the stored one: another request with its key was faster. `author` as for `Pets`.
   */
  add(pets: readonly NewPet[], step?: KeyedStep, author?: string): Promise<boolean>

  /** The latest step of this key, undefined if there was none within a day. */
  stepOf(key: Pick<IdempotencyKey, 'keyId' | 'name'>): Promise<StoredStep | undefined>

  /** The progress of the latest import of this source, undefined if there was none. */
  progress(source: string): Promise<ImportProgress | undefined>

  /** Allows an unfinished import of this source to start again. */
  forget(source: string): Promise<void>
}
