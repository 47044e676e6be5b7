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

/** Rows among which the names of the columns are looked for: titles and dates are often above them. */
export const maxHeaderRows = 10

/** How many rows with text are above the names of the columns; `none` if the first row is one of the data. */
export type HeaderPlace = number | 'none'

/** How sure it is that these are names of columns. `never`: they are values. */
export type HeaderGuess = 'surely' | 'maybe' | 'no' | 'never'

export interface Header {
  separator: Separator
  /** The names of the columns. */
  header: readonly string[]
  above: HeaderPlace
  /** The rows that may have the names of the columns. */
  first: readonly FileRow[]
}

/** `above`: a person has chosen it. */
export async function readHeader(
  textOf: () => AsyncIterable<string>,
  isHeader: (names: readonly string[]) => HeaderGuess,
  above?: HeaderPlace,
): Promise<Header> {
  const found: (Header & { above: number; fault: string | undefined })[] = []
  for (const separator of await possibleSeparators(textOf())) {
    const first = await firstRows(csvRecords(textOf(), separator))
    for (const [at, { fields, fault }] of first.entries())
      found.push({ separator, header: fields.map((name) => name.trim()), above: at, first, fault })
  }
  const place = above === 'none' ? 0 : above
  const candidates = place === undefined ? found : found.filter((one) => one.above === place)
  const [first] = candidates.toSorted((one, other) => one.above - other.above)
  if (first === undefined) throw new InvalidFile('The file is empty.')
  const wide = candidates
    .filter((one) => one.above === first.above)
    .toSorted((one, other) => other.header.length - one.header.length)[0]
  const chosen =
    candidates.find(({ header }) => isHeader(header) === 'surely') ??
    candidates.find(({ header }) => isHeader(header) === 'maybe') ??
    wide ??
    first
  if (chosen.header.length === 0)
    throw new InvalidFile(`The names of the columns cannot be read. ${chosen.fault ?? ''}`.trim())
  const isData = above === 'none' || (above === undefined && chosen === wide && isHeader(chosen.header) === 'never')
  return isData ? { ...chosen, above: 'none', header: chosen.header.map((_value, at) => columnName(at)) } : chosen
}

/** Of a column without a name. */
export function columnName(at: number): string {
  return `Column ${at + 1}`
}

async function firstRows(groups: RowGroups): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const group of groups) {
    rows.push(...group.slice(0, maxHeaderRows - rows.length))
    if (rows.length === maxHeaderRows) break
  }
  return rows
}

async function possibleSeparators(text: AsyncIterable<string>): Promise<readonly Separator[]> {
  for await (const [first] of rowsWithText(text, ',')) {
    if (first === undefined) continue
    const named = namedSeparator(first.original)
    return named === undefined ? separators : [named]
  }
  return separators
}
