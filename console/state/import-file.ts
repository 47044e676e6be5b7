import { bodyLimit, rowTooLarge } from '../../src/contract/body-limit.ts'
import { encodeField, type Separator } from '../../src/transfer/formats/csv-record.ts'
import { csvRows } from './csv-rows.ts'

/** The fields of an animal that a file can fill. */
export const importFields = ['name', 'categoryId', 'status'] as const
export type ImportField = (typeof importFields)[number]

/** The column of each field, as an index; undefined if the file has none. */
export type Columns = Partial<Record<ImportField, number>>

/** A file whose text is in memory: it stays the same while it is imported. */
export interface ImportFile {
  format: 'csv' | 'ndjson'
  text: string
  separator: Separator
  /** The names of the columns of a CSV file. */
  header: readonly string[]
  /** The number of rows, valid or not, without the header. */
  count: number
}

/** A row as it is sent, with its line end; or why it cannot be, as a sentence. */
export type ImportRow = { line: number; text: string } | RejectedLine

export interface RejectedLine {
  line: number
  message: string
}

/** The file cannot be imported. The message says why, as a sentence. */
export class InvalidFile extends Error {}

export const maxFileBytes = 50_000_000
/** The service accepts no row of more bytes. A character has at least one. */
const maxRowCharacters = bodyLimit

/** Reads a file: NDJSON by its name or its first character, otherwise CSV. Throws an InvalidFile. */
export function readImportFile(name: string, bytes: ArrayBuffer | Uint8Array): ImportFile {
  const text = decode(bytes)
  if (text.trim() === '') throw new InvalidFile('The file is empty.')
  const isNdjson = /\.(ndjson|jsonl)$/i.test(name) || text.startsWith('{')
  const file = isNdjson
    ? { format: 'ndjson' as const, text, separator: ',' as const, header: [], count: 0 }
    : { format: 'csv' as const, text, ...readHeader(text), count: 0 }
  const rows = importRows(file, {})
  while (rows.next().done !== true) file.count++
  if (file.count === 0)
    throw new InvalidFile('The file has no animals: it has only the line with the names of the columns.')
  return file
}

/** Without a byte order mark. */
function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InvalidFile('The file is not text in UTF-8. In a spreadsheet, save it as “CSV UTF-8”.')
  }
}

/** The separator is the one that makes more columns. */
function readHeader(text: string): Pick<ImportFile, 'separator' | 'header'> {
  const comma = csvRows(text, ',').next().value
  const semicolon = csvRows(text, ';').next().value
  const isSemicolon = (semicolon?.fields.length ?? 0) > (comma?.fields.length ?? 0)
  const { fields = [], fault = '' } = (isSemicolon ? semicolon : comma) ?? {}
  if (fields.length === 0) throw new InvalidFile(`The names of the columns cannot be read. ${fault}`.trim())
  return { separator: isSemicolon ? ';' : ',', header: fields.map((name) => name.trim()) }
}

/** The columns that are named like the fields. */
export function columnsByName({ header }: ImportFile): Columns {
  const names = header.map((name) => name.toLowerCase())
  const found = importFields.map((field) => [field, names.indexOf(field.toLowerCase())] as const)
  return Object.fromEntries(found.filter(([, at]) => at !== -1))
}

/** The rows of a file as they are sent: CSV with the columns of `importFields`, or NDJSON. */
export function* importRows(file: ImportFile, columns: Columns): Generator<ImportRow, void, undefined> {
  if (file.format === 'ndjson') return yield* ndjsonRows(file.text)
  for (const { line, values, message } of rowsBelowHeader(file, columns)) {
    const text = `${values.map((value) => encodeField(value)).join(',')}\n`
    if (message !== undefined) yield { line, message }
    else yield text.length > maxRowCharacters ? { line, message: rowTooLarge } : { line, text }
  }
}

function* rowsBelowHeader({ text, separator, header }: ImportFile, columns: Columns) {
  const rows = csvRows(text, separator)
  rows.next()
  for (const { line, fields, fault } of rows) {
    const width = `The header has ${header.length} columns, the row has ${fields.length}.`
    const message = fault ?? (fields.length === header.length ? undefined : width)
    yield { line, message, values: importFields.map((field) => fields[columns[field] ?? -1] ?? '') }
  }
}

function* ndjsonRows(text: string): Generator<ImportRow, void, undefined> {
  let line = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const row = text.slice(start, end)
    line++
    start = end + 1
    if (row.trim() === '') continue
    yield row.length > maxRowCharacters ? { line, message: rowTooLarge } : { line, text: `${row}\n` }
  }
}

/** A row for the eye: the values of `importFields`. */
export type PreviewRow = { line: number; values: readonly string[] } | RejectedLine

/** The first rows of a file. */
export function previewRows(file: ImportFile, columns: Columns, count: number): PreviewRow[] {
  const found: PreviewRow[] = []
  for (const row of file.format === 'csv' ? csvPreviews(file, columns) : ndjsonRows(file.text)) {
    if (found.length === count) break
    found.push('text' in row ? jsonPreview(row) : row)
  }
  return found
}

function* csvPreviews(file: ImportFile, columns: Columns): Generator<PreviewRow, void, undefined> {
  for (const { line, message, values } of rowsBelowHeader(file, columns)) {
    yield message === undefined ? { line, values } : { line, message }
  }
}

function jsonPreview({ line, text }: { line: number; text: string }): PreviewRow {
  try {
    const pet = JSON.parse(text, exactNumber) as Record<string, unknown> | null
    const values = importFields.map((field) => pet?.[field] ?? '')
    return { line, values: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))) }
  } catch {
    return { line, message: 'The row is not valid JSON.' }
  }
}

/** A number as it is in the file: a large one would be rounded. */
function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value
}
