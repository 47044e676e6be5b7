import type { NewPet } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import { Failure } from '../shared/failure.ts'

/** Adds the pets of a file, a batch at a time. While one is being added, the next one gathers. */
export interface BatchWriter {
  /** How many pets are on disk so far. */
  readonly added: number
  /** How many pets after those may be on disk: that is not known when a commit was not answered. */
  readonly unknown: number
  /**
   * Takes the pets of the rows since the last call. `rows` is how many rows of the file were read until now. Rejects when a
   * batch could not be added, this one or the one before.
   */
  take(pets: readonly NewPet[], rows: number): Promise<void>
  /** The same for the last of them. Resolves once all are on disk. */
  finish(pets: readonly NewPet[], rows: number): Promise<void>
  /** Resolves once nothing is being added: only then `added` and `unknown` tell the end. */
  settle(): Promise<void>
}

export interface BatchPlan {
  /** Names the file in the record of its import. Without it nothing is recorded. */
  source: string | undefined
  /** How many rows of it were done at an earlier time. */
  done: number
  /** Whether all pets are one batch. */
  allOrNothing: boolean
}

/** With so many characters in its names a batch is full, however few pets it has: all of it is in memory, here and there. */
const maxBatchText = 8 * 1024 * 1024

/**
 * Pets wait here until a batch is full, and not at the database: what is staged there is in an open transaction, which
 * should not last as long as the other end of a pipe likes. With all or nothing there is no other place for them.
 */
export function openBatchWriter(imports: Imports, { source, done, allOrNothing }: BatchPlan): BatchWriter {
  let waiting: NewPet[] = []
  let waitingText = 0
  let staged = 0
  let added = 0
  let unknown = 0
  let from = done
  let writing = Promise.resolve()
  let failure: unknown

  async function add(to: number, last: boolean): Promise<void> {
    try {
      const step = source === undefined ? undefined : { source, from, to, last }
      if (!(await imports.addStaged(staged, step))) throw new Failure('Another import of the same file is running.')
    } catch (error) {
      if (error instanceof PetStoreError && error.mayHaveSucceeded) unknown = staged
      throw error
    }
    added += staged
    staged = 0
    from = to
  }

  /** Begins to write what waits, once what was begun before is written. */
  async function writeNext(rows: number, last: boolean): Promise<void> {
    const pets = waiting
    waiting = []
    waitingText = 0
    await writing
    writing = write(pets, rows, last)
    writing.catch((error: unknown) => (failure = error))
  }

  async function write(pets: readonly NewPet[], rows: number, last: boolean): Promise<void> {
    await imports.stage(pets)
    staged += pets.length
    if (last || !allOrNothing) await add(rows, last)
  }

  return {
    get added() {
      return added
    },
    get unknown() {
      return unknown
    },
    async take(pets, rows) {
      if (failure !== undefined) throw failure
      for (const pet of pets) {
        waiting.push(pet)
        waitingText += pet.name.length
      }
      if (waiting.length >= imports.batchSize || waitingText >= maxBatchText) await writeNext(rows, false)
    },
    async finish(pets, rows) {
      for (const pet of pets) waiting.push(pet)
      await writeNext(rows, true)
      await writing
    },
    settle: () => writing.catch(() => undefined),
  }
}
