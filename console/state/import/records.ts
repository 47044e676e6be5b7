import { maxUncutBytes } from '../../../src/contract/body-limit.ts'
import {
  type CutRecord,
  namedSeparator,
  recordCutter,
  type Separator,
  separators,
} from '../../../src/transfer/formats/csv-record.ts'
import { InvalidFile } from './decode.ts'

/** A row of a file as it is there. */
export interface FileRow {
  /** Where the row begins, counted from 1. */
  line: number
  /** Without its line end. */
  original: string
  /** Of a CSV file. */
  fields: readonly string[]
  /** Why the row cannot be read, as a sentence. */
  fault?: string | undefined
}

/** Rows in groups: one by one, waiting would take longer than reading. */
export type RowGroups = AsyncGenerator<FileRow[], void, undefined>

/**
 * The rows of a CSV file, with its header, without a line before it that names the separator. Rows without any text are
 * left out: spreadsheets save them.
 */
export async function* csvRecords(text: AsyncIterable<string>, separator: Separator): RowGroups {
  let isFirst = true
  for await (const rows of rowsWithText(text, separator)) {
    const [first] = rows
    if (isFirst && first !== undefined && namedSeparator(first.original) !== undefined) rows.shift()
    if (first !== undefined) isFirst = false
    yield rows
  }
}

function rowsWithText(text: AsyncIterable<string>, separator: Separator): RowGroups {
  // A long row may have columns that are not sent.
  const cut = recordCutter({ separator, maxRecordLength: Infinity })
  return cutRows(text, cut, ({ fault, fields }) => fault !== undefined || fields.some((field) => field !== ''))
}

/** The lines of an NDJSON file. Blank ones are left out. */
export function ndjsonRecords(text: AsyncIterable<string>): RowGroups {
  const cut: CutRecord = (held, start, isEnd) => {
    const newline = held.indexOf('\n', start)
    if (newline === -1 && !isEnd) return undefined
    const end = newline === -1 ? held.length : newline
    return { fields: [], end, next: end + 1 }
  }
  return cutRows(text, cut, ({ original }) => original.trim() !== '')
}

async function* cutRows(text: AsyncIterable<string>, cut: CutRecord, isRow: (row: FileRow) => boolean): RowGroups {
  let held = ''
  let line = 1
  function rows(isEnd: boolean): FileRow[] {
    const found: FileRow[] = []
    let start = 0
    while (start < held.length) {
      const record = cut(held, start, isEnd)
      if (record === undefined) break
      const { fields, fault, end, next } = record
      const row = { line, original: held.slice(start, end), fields, fault }
      line += linesIn(held, start, next)
      start = next
      if (isRow(row)) found.push(row)
    }
    held = held.slice(start)
    if (held.length > maxUncutBytes) throw new InvalidFile(`Line ${line} is longer than 1 MiB: is this a CSV file?`)
    return found
  }
  for await (const piece of text) {
    held += piece
    yield rows(false)
  }
  yield rows(true)
}

function linesIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The separator and the names of the columns. `hasAll` tells whether names are those that the service needs. */
export async function readHeader(
  textOf: () => AsyncIterable<string>,
  hasAll: (header: readonly string[]) => boolean,
): Promise<{ separator: Separator; header: readonly string[] }> {
  const headers: { separator: Separator; header: readonly string[]; fault: string | undefined }[] = []
  for (const separator of await possibleSeparators(textOf())) {
    for await (const [first] of csvRecords(textOf(), separator)) {
      if (first === undefined) continue
      const { fields, fault } = first
      headers.push({ separator, header: fields.map((name) => name.trim()), fault })
      break
    }
  }
  const [first] = headers
  if (first === undefined) throw new InvalidFile('The file is empty.')
  const whole = headers.find(({ header }) => hasAll(header))
  const chosen = whole ?? headers.toSorted((one, other) => other.header.length - one.header.length)[0] ?? first
  if (chosen.header.length === 0)
    throw new InvalidFile(`The names of the columns cannot be read. ${chosen.fault ?? ''}`.trim())
  return chosen
}

async function possibleSeparators(text: AsyncIterable<string>): Promise<readonly Separator[]> {
  for await (const [first] of rowsWithText(text, ',')) {
    if (first === undefined) continue
    const named = namedSeparator(first.original)
    return named === undefined ? separators : [named]
  }
  return separators
}
