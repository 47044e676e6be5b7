import type { NewPet } from '../../contract/pet.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Imports } from '../../inventory/imports.ts'
import { indexCost } from '../../inventory/name-words.ts'
import { Failure } from '../shared/failure.ts'

/** Adds the pets of a file in batches. The next batch fills up while one is being added. */
export interface BatchWriter {
  /** The number of pets on disk so far. */
  readonly added: number
  /** The number of further pets with an unknown outcome, because a commit got no response. */
  readonly unknown: number
  /**
   * Takes the pets of the rows since the last call. `rows` is the number of rows read so far. Rejects if this batch or
   * the one before could not be added.
   */
  take(pets: readonly NewPet[], rows: number): Promise<void>
  /** Takes the last pets. Resolves when all pets are on disk. */
  finish(pets: readonly NewPet[], rows: number): Promise<void>
  /** Resolves when no batch is being added. Only then are `added` and `unknown` final. */
  settle(): Promise<void>
}

export interface BatchPlan {
  /** Identifies the file in the record of its import. Without it nothing is recorded. */
  source: string | undefined
  /** The number of rows done by an earlier import. */
  done: number
  /** Whether all pets are one batch. */
  allOrNothing: boolean
  /** The JSON of the author of its events. */
  author: string
}

/** A batch with this many characters in its names is full: it is in memory here and in the database. */
const maxBatchCharacters = 2 * 1024 * 1024

/**
 * Pets wait in this process until a batch is full. Staged pets are in an open transaction, which must not stay open
 * while a pipe is silent. With all-or-nothing they have to be staged.
 */
export function openBatchWriter(imports: Imports, plan: BatchPlan): BatchWriter {
  const { source, done, allOrNothing, author } = plan
  let waiting: NewPet[] = []
  let waitingText = 0
  let waitingCost = 0
  let staged = 0
  let added = 0
  let unknown = 0
  let from = done
  let writing = Promise.resolve()
  let failure: unknown

  async function add(to: number, last: boolean): Promise<void> {
    try {
      const step = source === undefined ? undefined : { source, from, to, last }
      if (!(await imports.addStaged(staged, step, author)))
        throw new Failure('Another import of the same file is running.')
    } catch (error) {
      if (error instanceof PetStoreError && error.mayHaveSucceeded) unknown = staged
      throw error
    }
    added += staged
    staged = 0
    from = to
  }

  /** Starts to write the waiting pets when the batch before is written. */
  async function writeNext(rows: number, last: boolean): Promise<void> {
    const pets = waiting
    waiting = []
    waitingText = 0
    waitingCost = 0
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
        waitingCost += 1 + indexCost(pet.name)
      }
      if (waitingCost >= imports.batchSize || waitingText >= maxBatchCharacters) await writeNext(rows, false)
    },
    async finish(pets, rows) {
      for (const pet of pets) waiting.push(pet)
      await writeNext(rows, true)
      await writing
    },
    settle: () => writing.catch(() => undefined),
  }
}
