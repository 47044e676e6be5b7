import type { PetStore } from '../../client/src/index.ts'
import { newIdempotencyKey } from '../api/idempotency-key.ts'
import {
  type Columns,
  type ImportFile,
  type ImportRow,
  importFields,
  importRows,
  type RejectedLine,
} from './import-file.ts'

export interface ImportProgress {
  /** The number of rows that were added or rejected. */
  done: number
  added: number
  /** All of them, ascending by line. */
  rejects: readonly RejectedLine[]
}

export interface Import {
  /** Adds the rows. After an error, a second run goes on where the first one ended, and adds nothing twice. */
  run: (onProgress: (progress: ImportProgress) => void, signal: AbortSignal) => Promise<void>
}

type Sent = Extract<ImportRow, { text: string }>

const maxChunkRows = 1_000
/** A chunk with this many characters is full. */
const maxChunkCharacters = 500_000
/** For one chunk. */
const timeoutMs = 60_000

/** An import of one file. It has idempotency keys of its own: importing a file twice adds its animals twice. */
export function prepareImport(pets: Pick<PetStore['pets'], 'import'>, file: ImportFile, columns: Columns): Import {
  const key = newIdempotencyKey()
  const chunks = chunksOf(importRows(file, columns))
  let chunk = chunks.next()
  let number = 0
  let progress: ImportProgress = { done: 0, added: 0, rejects: [] }

  /**
   * All or nothing, first with all rows, then without those that were rejected: a response lists only 100 of them, and
   * the list for the user is complete.
   */
  async function add(rows: readonly ImportRow[], signal: AbortSignal): Promise<RejectedLine[]> {
    const rejects = rows.filter((row) => 'message' in row)
    let left = rows.filter((row) => 'text' in row)
    for (let round = 0; left.length > 0; round++) {
      const { text, rowAt } = encode(left, file.format)
      const result = await pets.import(text, {
        format: file.format,
        mode: 'all-or-nothing',
        idempotencyKey: `${key}-${number}-${round}`,
        timeoutMs,
        signal,
      })
      if (result.rejected === 0) break
      const refused = new Map(result.rejects.map(({ line, message }) => [rowAt.get(line), message]))
      for (const [row, message] of refused) if (row !== undefined) rejects.push({ line: row.line, message })
      left = left.filter((row) => !refused.has(row))
    }
    return rejects.toSorted((one, other) => one.line - other.line)
  }

  return {
    async run(onProgress, signal) {
      for (; chunk.done !== true; chunk = chunks.next(), number++) {
        const rejects = await add(chunk.value, signal)
        progress = {
          done: progress.done + chunk.value.length,
          added: progress.added + chunk.value.length - rejects.length,
          rejects: [...progress.rejects, ...rejects],
        }
        onProgress(progress)
      }
    },
  }
}

function* chunksOf(rows: Iterable<ImportRow>): Generator<ImportRow[], void, undefined> {
  let chunk: ImportRow[] = []
  let characters = 0
  for (const row of rows) {
    chunk.push(row)
    characters += 'text' in row ? row.text.length : 0
    if (chunk.length < maxChunkRows && characters < maxChunkCharacters) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}

/** The file of a request, and its rows by their lines in it. */
function encode(rows: readonly Sent[], format: ImportFile['format']): { text: string; rowAt: Map<number, Sent> } {
  const rowAt = new Map<number, Sent>()
  let text = format === 'csv' ? `${importFields.join(',')}\n` : ''
  let line = format === 'csv' ? 2 : 1
  for (const row of rows) {
    rowAt.set(line, row)
    text += row.text
    line += row.text.split('\n').length - 1
  }
  return { text, rowAt }
}

/** The list of rejected rows as a CSV file. */
export function encodeRejects(rejects: readonly RejectedLine[]): string {
  return ['line,message', ...rejects.map(({ line, message }) => `${line},${quoted(message)}`), ''].join('\r\n')
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
