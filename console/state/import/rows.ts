import { bodyLimit, rowTooLarge } from '../../../src/contract/body-limit.ts'
import { encodeField } from '../../../src/transfer/formats/csv-record.ts'
import { isInt64 } from '../../api/int64.ts'
import type { StatusOrNone } from '../statuses.ts'
import type { ColumnTexts, ImportFile } from './file.ts'
import { type Columns, guessColumns, guessStatus, type ImportField, importFields, isOwnStatus } from './guess.ts'
import type { FileRow } from './records.ts'

/** What the columns and the words of a file stand for. */
export interface Mapping {
  columns: Columns
  /** Of all animals, if no column has it. Without an id it is not one yet. */
  category?: { text: string; id: string | undefined }
  /** By the words of the file. Others are sent as they are. */
  statuses: ReadonlyMap<string, StatusOrNone>
}

export function guessMapping({ above, header, columns: texts }: ImportFile): Mapping {
  if (above === 'none') return { columns: guessByTexts(texts), statuses: new Map() }
  return { columns: guessColumns(header, (column) => texts[column]?.isNumeric === true), statuses: new Map() }
}

/**
 * Of a file without names of columns: what has mostly known statuses is the status, the first other texts are the name,
 * and a column that is left alone is the category.
 */
function guessByTexts(texts: ImportFile['columns']): Columns {
  const at = texts.map((_texts, column) => column)
  const status = at.find((column) => texts[column]?.isNumeric === false && isMostlyStatus(texts[column]))
  const name = at.find((column) => column !== status && texts[column]?.isNumeric === false)
  const [category, ...more] = at.filter((column) => column !== status && column !== name)
  const field = category !== undefined && texts[category]?.isNumeric === true ? 'categoryId' : 'categoryName'
  return {
    ...(name !== undefined && { name }),
    ...(category !== undefined && more.length === 0 && { [field]: category }),
    ...(status !== undefined && { status }),
  }
}

function isMostlyStatus({ counts }: ColumnTexts): boolean {
  let known = 0
  for (const [word, count] of counts ?? []) {
    if (word !== '') known += isOwnStatus(word) || guessStatus(word) !== undefined ? count : -count
  }
  return known > 0
}

/** A word in the column of the status that the service does not know. */
export interface StatusWord {
  word: string
  count: number
  /** What it was matched with, by hand or by a guess. */
  status: StatusOrNone | undefined
}

/** Undefined if the column has too many words: it is not a status. */
export function statusWords({ columns: texts }: ImportFile, { columns, statuses }: Mapping): StatusWord[] | undefined {
  if (columns.status === undefined) return []
  const counts = texts[columns.status]?.counts
  if (counts === undefined) return undefined
  const foreign = [...counts].filter(([word]) => word !== '' && !isOwnStatus(word))
  return foreign.map(([word, count]) => ({ word, count, status: statuses.get(word) ?? guessStatus(word) }))
}

/** The service accepts no row of more bytes. A character has at least one. */
const maxRowCharacters = bodyLimit

/** A row as it is sent, with its line end, or with a fault. */
export type ImportRow = FileRow & ({ text: string; fault?: undefined } | { text?: undefined; fault: string })

export interface RowEncoder {
  /** The first line of what is sent. Empty for NDJSON. */
  header: string
  encode(row: FileRow): ImportRow
}

/** Makes rows of a file into rows for the service: CSV with the columns that were matched, or NDJSON. */
export function rowEncoder(file: ImportFile, mapping: Mapping): RowEncoder {
  const textOf = fieldReader(file, mapping)
  const fields = importFields.filter(
    (field) => mapping.columns[field] !== undefined || (field === 'categoryId' && oneCategory(mapping) !== undefined),
  )
  const isCsv = file.format === 'csv'
  return {
    header: isCsv ? `${fields.join(',')}\n` : '',
    encode(row) {
      const fault = row.fault ?? (isCsv ? cellFault((field) => textOf(row, field)) : undefined)
      if (fault !== undefined) return { ...row, fault }
      const cells = () => fields.map((field) => encodeField(textOf(row, field))).join(',')
      const text = `${isCsv ? cells() : row.original}\n`
      return text.length > maxRowCharacters ? { ...row, fault: rowTooLarge } : { ...row, text, fault: undefined }
    },
  }
}

/** What a person has to fill in, in their words: the service would name its own members. */
function cellFault(textOf: (field: ImportField) => string): string | undefined {
  const [status, number] = [textOf('status'), textOf('categoryId')]
  const faults = [
    textOf('name') === '' && 'The name is missing.',
    textOf('categoryName') === '' && number === '' && 'The category is missing.',
    number !== '' && !isInt64(number) && `No category can have the number “${shortText(number)}”.`,
    status !== '' && !isOwnStatus(status) && `The status “${shortText(status)}” is not known.`,
  ].filter((fault) => fault !== false)
  return faults.length === 0 ? undefined : faults.join(' ')
}

function shortText(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The digits of the category of all animals, if no column has it. */
export function oneCategory({ columns, category }: Mapping): string | undefined {
  return columns.categoryName === undefined && columns.categoryId === undefined ? category?.id : undefined
}

/** The name is kept exactly as it is. */
function fieldReader(file: ImportFile, mapping: Mapping): (row: FileRow, field: ImportField) => string {
  const { columns } = mapping
  const category = oneCategory(mapping)
  const matched = new Map(statusWords(file, mapping)?.map(({ word, status }) => [word, status]))
  return ({ fields }, field) => {
    if (field === 'categoryId' && category !== undefined) return category
    const text = fields[columns[field] ?? -1] ?? ''
    if (field === 'name') return text
    const word = text.trim()
    const status = field === 'status' ? matched.get(word) : undefined
    return status === 'none' ? '' : (status ?? word)
  }
}

/** A row for the eye: the values of `importFields`, or why it cannot be read. */
export type PreviewRow =
  | { line: number; values: Readonly<Record<ImportField, string>> }
  | { line: number; fault: string }

/** A few rows as they would be added. */
export function previewRows(file: ImportFile, mapping: Mapping): PreviewRow[] {
  const textOf = fieldReader(file, mapping)
  return file.samples.map((row) => {
    if (file.format === 'ndjson') return jsonPreview(row)
    const { line, fault } = row
    if (fault !== undefined) return { line, fault }
    return { line, values: valuesOf((field) => textOf(row, field)) }
  })
}

function jsonPreview({ line, original }: FileRow): PreviewRow {
  try {
    const pet = JSON.parse(original, exactNumber) as Record<string, unknown> | null
    const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    return { line, values: valuesOf((field) => textOf(pet?.[field] ?? '')) }
  } catch {
    return { line, fault: 'The row is not valid JSON.' }
  }
}

function valuesOf(textOf: (field: ImportField) => string): Record<ImportField, string> {
  return Object.fromEntries(importFields.map((field) => [field, textOf(field)])) as Record<ImportField, string>
}

/** A number as it is in the file: a large one would be rounded. */
function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value
}
