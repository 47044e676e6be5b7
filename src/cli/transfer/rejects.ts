import { closeSync, openSync, writeFileSync } from 'node:fs'
import { amount } from './format-numbers.ts'
import { Failure } from '../shared/failure.ts'
import type { Reject, RowReader } from '../../transfer/formats/format.ts'

/** Reports rejected rows: the first ones at once, and all of them in a file, which is created when needed. */
export interface Rejects {
  readonly count: number
  add(reject: Reject): void
  /** Reports the number of further rejects. */
  close(): void
}

/** Further rejects are only in the file. */
const maxReported = 20

export function openRejects(path: string, reader: RowReader, report: (line: string) => void): Rejects {
  let count = 0
  let file: number | undefined
  return {
    get count() {
      return count
    },
    add(reject) {
      count++
      if (count <= maxReported) report(`line ${reject.line}: ${reject.reason}`)
      try {
        if (file === undefined) {
          file = openSync(path, 'w', 0o600)
          writeFileSync(file, reader.rejectsHeader())
        }
        writeFileSync(file, reader.encodeReject(reject))
      } catch (error) {
        throw new Failure(`The file ${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
      }
    },
    close() {
      if (count > maxReported) report(`… and ${amount(count - maxReported, 'more row')}`)
      if (file !== undefined) closeSync(file)
    },
  }
}
