import { closeSync, openSync, writeFileSync } from 'node:fs'
import { amount } from './format.ts'
import { Failure } from '../shared/failure.ts'
import type { Reject, RowReader } from './formats/format.ts'

/** Tells of the rows that are no animals: of the first ones at once, and of all in a file, which is made when needed. */
export interface Rejects {
  readonly count: number
  add(reject: Reject): void
  /** Says how many were not told of. */
  close(): void
}

/** So many are told of; the rest is in the file. */
const toldOf = 20

export function openRejects(path: string, reader: RowReader, tell: (line: string) => void): Rejects {
  let count = 0
  let file: number | undefined
  return {
    get count() {
      return count
    },
    add(reject) {
      count++
      if (count <= toldOf) tell(`line ${reject.line}: ${reject.reason}`)
      try {
        if (file === undefined) {
          file = openSync(path, 'w')
          writeFileSync(file, reader.rejectsHeader())
        }
        writeFileSync(file, reader.encodeReject(reject))
      } catch (error) {
        throw new Failure(`The file ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
      }
    },
    close() {
      if (count > toldOf) tell(`… and ${amount(count - toldOf, 'more row')}`)
      if (file !== undefined) closeSync(file)
    },
  }
}
