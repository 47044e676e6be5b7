import type { NewPet } from '../contract/pet.ts'

/** A stretch of the rows of one file, remembered as done together with the animals that came of it. */
export interface ImportStep {
  /** Names the file by its content, wherever it lies: a digest. */
  source: string
  /** How many of its rows were done before this step, and how many are after it. */
  from: number
  to: number
  /** Whether these were the last of its rows. */
  last: boolean
}

export interface ImportProgress {
  /** How many rows of the file are done, counted from its first. */
  rows: number
  finished: boolean
}

/** Adds many pets at once, for one import at a time. test/storage/imports.test.ts defines it for every engine. */
export interface Imports {
  /** How many pets to add at once: enough to make each cheap, few enough that other writers do not wait long. */
  readonly batchSize: number

  /**
   * Lays pets aside for `addStaged`, in this order. Nobody sees them, and closing the storage discards them. When it
   * rejects, nothing is staged any more.
   */
  stage(pets: readonly NewPet[]): Promise<void>

  /**
   * Resolves once all staged pets are on disk, with ids in their order. When it rejects, none of them is, unless the error
   * says that it `mayHaveSucceeded`, and nothing is staged any more. It rejects when not exactly `count` pets are staged:
   * some were lost. With a `step`, that is remembered in the same transaction. Resolves to false, and adds nothing, when
   * the step does not go on where the last one of its source ended: another import of the same source is at work. A step
   * from 0 goes on from nothing, or from an import that was finished and now begins anew.
   */
  addStaged(count: number, step?: ImportStep): Promise<boolean>

  /** How far the latest import of this source has come, undefined when there was none. */
  progress(source: string): Promise<ImportProgress | undefined>

  /** Lets the next import of this source begin anew, though the latest was not finished. */
  forget(source: string): Promise<void>
}
