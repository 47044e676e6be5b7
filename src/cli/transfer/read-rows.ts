import type { NewPet } from '../../contract/pet.ts'
import type { Row, RowReader } from '../../transfer/formats/format.ts'
import type { Input } from './input.ts'
import type { BatchWriter } from './batch-writer.ts'
import type { Progress } from './progress.ts'
import type { Rejects } from './rejects.ts'

export interface ReadRowsParts {
  input: Input
  reader: RowReader
  writer: BatchWriter
  rejects: Rejects
  progress: Progress
  /** The number of rows done by an earlier import. They are read again, so that all rejects are reported. */
  done: number
  /** Whether one rejected row means that no pet is added. The rest is still read, so that all rejects are reported. */
  allOrNothing: boolean
}

/** Reads a file and sorts its rows into pets and rejects. */
export async function readRows(parts: ReadRowsParts): Promise<void> {
  const { input, reader, writer, rejects, progress, done, allOrNothing } = parts
  let bytes = 0
  let rows = 0
  let animals = 0

  function isRefused(): boolean {
    return allOrNothing && rejects.count > 0
  }

  function sort(found: Iterable<Row>): NewPet[] {
    const pets: NewPet[] = []
    for (const row of found) {
      rows++
      if ('reason' in row) rejects.add(row)
      else if (rows > done) pets.push(row.pet)
    }
    return pets
  }

  try {
    for await (const chunk of input.chunks) {
      bytes += chunk.length
      const pets = sort(reader.push(chunk))
      if (!isRefused()) await writer.take(pets, rows)
      animals += pets.length
      progress.update(animals, input.file && bytes / input.file.size)
    }
    const last = sort(reader.end())
    if (!isRefused()) await writer.finish(last, rows)
  } finally {
    await writer.settle()
  }
}
