import type { NewPet } from '../../contract/pet.ts'
import type { Imports } from '../../inventory/imports.ts'
import { Failure } from '../failure.ts'

/** Where the animals of a file go. */
export interface Intake {
  /** How many animals are on disk so far. */
  readonly added: number
  /** Takes animals: those of the rows since the last call. `rows` is how many rows of the file were read until now. */
  take(pets: readonly NewPet[], rows: number): Promise<void>
  /** The same for the last of them. Resolves once all are on disk. */
  finish(pets: readonly NewPet[], rows: number): Promise<void>
}

export interface IntakePlan {
  /** Names the file in the record of its import. Without it nothing is recorded. */
  source: string | undefined
  /** How many rows of it were done at an earlier time. */
  done: number
  /** How many animals, or a few more, are added in one transaction. */
  batchSize: number
}

/** Lays animals aside and adds them whenever there are enough for a transaction. */
export function openIntake(imports: Imports, { source, done, batchSize }: IntakePlan): Intake {
  let added = 0
  let staged = 0
  let from = done

  async function stage(pets: readonly NewPet[]): Promise<void> {
    await imports.stage(pets)
    staged += pets.length
  }

  async function add(to: number, last: boolean): Promise<void> {
    const isAdded = await imports.addStaged(source === undefined ? undefined : { source, from, to, last })
    if (!isAdded) throw new Failure('Another import of the same file is at work.')
    added += staged
    staged = 0
    from = to
  }

  return {
    get added() {
      return added
    },
    async take(pets, rows) {
      await stage(pets)
      if (staged >= batchSize) await add(rows, false)
    },
    async finish(pets, rows) {
      await stage(pets)
      await add(rows, true)
    },
  }
}
