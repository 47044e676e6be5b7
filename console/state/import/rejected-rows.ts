import { encodeField } from '../../../src/transfer/formats/csv-record.ts'
import type { ImportFile } from './file.ts'
import type { FileRow } from './records.ts'

export interface RejectedLine {
  line: number
  message: string
}

/** The rows of a file that were not added. */
export interface RejectedRows {
  add(row: FileRow, message: string): void
  /** How many there are. */
  count(): number
  /** The first ones. */
  first(): readonly RejectedLine[]
  /** All of them with their data and the reason, for the same import once they are mended. */
  file(): File
}

/** Rows beyond these are only in the file. */
export const maxListed = 100
/** A browser keeps large blobs on disk. */
const maxHeldCharacters = 1_000_000

export function collectRejected(file: ImportFile): RejectedRows {
  const encode = file.format === 'csv' ? csvEncoder(file) : encodeJson
  const parts: Blob[] = []
  const listed: RejectedLine[] = []
  let held = file.format === 'csv' ? csvHeader(file) : ''
  let count = 0
  return {
    add(row, message) {
      count++
      if (listed.length < maxListed) listed.push({ line: row.line, message })
      held += encode(row, message)
      if (held.length < maxHeldCharacters) return
      parts.push(new Blob([held]))
      held = ''
    },
    count: () => count,
    first: () => [...listed],
    file: () => new File([...parts, held], rejectedName(file), { type: 'text/csv' }),
  }
}

function rejectedName({ name, format }: ImportFile): string {
  const base = name.replace(/\.[^.]*$/, '').replace(/-rejected$/, '')
  return `${base}-rejected.${format}`
}

const added = ['line', 'reason'] as const

/** Whether this is a file of rejected rows itself: its reasons are replaced. */
function skippedColumns({ header }: ImportFile): number {
  return added.every((name, at) => header[at] === name) ? added.length : 0
}

/** Begins with a byte order mark: the file may be mended in a spreadsheet. */
function csvHeader(file: ImportFile): string {
  return `\ufeff${csvLine([...added, ...file.header.slice(skippedColumns(file))], file)}`
}

function csvEncoder(file: ImportFile): (row: FileRow, message: string) => string {
  const skipped = skippedColumns(file)
  return ({ line, fields, original }, message) => {
    // A row that cannot be read is one field, so that it does not affect others.
    const cells = fields.length === 0 ? [original] : fields.slice(skipped)
    return csvLine([String(line), message, ...cells], file)
  }
}

function csvLine(cells: readonly string[], { separator }: ImportFile): string {
  return `${cells.map((cell) => encodeField(cell, separator)).join(separator)}\r\n`
}

const ownMembers = /^\{"line":[0-9]+,"reason":"(?:[^"\\]|\\.)*",?/

/** The members of the row stay as they are: parsing would round large numbers. */
function encodeJson({ line, original }: FileRow, message: string): string {
  const reason = `{"line":${line},"reason":${JSON.stringify(message)}`
  if (!isObject(original)) return `${reason},"row":${JSON.stringify(original)}}\n`
  const members = original.trim().replace(ownMembers, '{').slice(1).trim()
  return `${reason}${members === '}' ? '' : ','}${members}\n`
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
