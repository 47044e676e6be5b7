import { closeSync, openSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { amount } from './format-numbers.ts'
import { Failure } from '../shared/failure.ts'
import type { Reject, RowReader } from '../../transfer/formats/format.ts'

/** Reports rejected rows: the first ones at once, and all of them in a file, which is created when needed. */
export interface Rejects {
  /** The size of the file. */
  readonly bytes: number
  add(reject: Reject): void
  /** Reports the number of further rejects. */
  close(): void
}

export interface RejectsOptions {
  /** Without a path no file is written. */
  path: string | undefined
  reader: RowReader
  report(line: string): void
  /** What an interrupted import has written of the rows that are done. Its file is continued from there. */
  bytesBefore?: number
}

/** Further rejects are only in the file. */
const maxReported = 20

export function openRejects({ path, reader, report, bytesBefore = 0 }: RejectsOptions): Rejects {
  let count = 0
  let bytes = bytesBefore
  let file = bytesBefore > 0 && path !== undefined ? continueFile(path, bytesBefore) : undefined
  if (bytesBefore > 0 && file === undefined) {
    report(`The rows that were rejected before are not in ${path} any more.`)
    bytes = 0
  }

  function write(text: Buffer): void {
    writeFileSync(file as number, text)
    bytes += text.length
  }

  return {
    get bytes() {
      return bytes
    },
    add(reject) {
      count++
      if (count <= maxReported) report(`line ${reject.line}: ${reject.reason}`)
      if (path === undefined) return
      try {
        if (file === undefined) {
          file = openSync(path, 'w', 0o600)
          write(reader.rejectsHeader())
        }
        write(reader.encodeReject(reject))
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

/** Undefined if the file was removed or shortened meanwhile. What it has of rows that are not done is removed. */
function continueFile(path: string, bytes: number): number | undefined {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes) return undefined
  truncateSync(path, bytes)
  return openSync(path, 'a')
}
