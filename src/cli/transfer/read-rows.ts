import type { NewPet } from '../../contract/pet.ts'
import type { Row, RowReader } from './formats/format.ts'
import type { Input } from './input.ts'
import type { Intake } from './batch-writer.ts'
import type { Progress } from './progress.ts'
import type { Rejects } from './rejects.ts'

export interface TakeInParts {
  input: Input
  reader: RowReader
  intake: Intake
  rejects: Rejects
  progress: Progress
  /** So many rows at the start were done at an earlier time. They are read again, so that all rejects are told of. */
  done: number
  /** Whether one rejected row means that no animal is added. The others are read on, so that all rejects are told of. */
  allOrNothing: boolean
}

/** Sorts all rows of a file into animals and rejects. */
export async function takeIn(parts: TakeInParts): Promise<void> {
  const { input, reader, intake, rejects, progress, done, allOrNothing } = parts
  let bytes = 0
  let rows = 0
  let animals = 0
  // What one piece of the file holds is written while the next one is read.
  let writing = Promise.resolve()

  function isLost(): boolean {
    return allOrNothing && rejects.count > 0
  }

  function sort(found: readonly Row[]): NewPet[] {
    const pets: NewPet[] = []
    for (const row of found) {
      rows++
      if ('reason' in row) rejects.add(row)
      else if (rows > done) pets.push(row.pet)
    }
    return pets
  }

  async function passOn(pets: NewPet[]): Promise<void> {
    if (isLost() || pets.length === 0) return
    await writing
    writing = intake.take(pets, rows)
    writing.catch(() => undefined) // It is thrown where it is awaited.
    animals += pets.length
  }

  try {
    for await (const chunk of input.chunks) {
      bytes += chunk.length
      await passOn(sort(reader.push(chunk)))
      progress.update(animals, input.file && bytes / input.file.size)
    }
    const last = sort(reader.end())
    await writing
    if (!isLost()) await intake.finish(last, rows)
  } finally {
    // Only then is it known how many animals are in.
    await writing.catch(() => undefined)
  }
}
