import { maxRowBytes, maxUncutBytes, rowTooLarge } from '../../contract/body-limit.ts'
import { type Pet, petMembers } from '../../contract/pet.ts'
import { cutting, detached, fromByteText, fromUtf8, toBytes } from './bytes.ts'
import {
  type CsvRecord,
  type CutRecord,
  encodeField,
  namedSeparator,
  recordCutter,
  type Separator,
  separators,
} from './csv-record.ts'
import { type Format, InvalidFile, type Row, type RowReader } from './format.ts'
import { optionalMembers, rowChecker, rowMembers } from './row-pet.ts'

const columns = Object.keys(petMembers) as (keyof Pet)[]

/** A header, then one row per animal. A missing status is an empty field. The case of a status and blank lines are ignored. */
export const csv = csvFormat()

export interface CsvOptions {
  separator?: Separator
  /** Whether to begin with a byte order mark and to add a column `categoryName`, for people. */
  isForSpreadsheet?: boolean
}

export function csvFormat({ separator = ',', isForSpreadsheet = false }: CsvOptions = {}): Format {
  const lineOf = lineWriter(separator)
  const fieldsOf = (pet: Pet) => columns.map((name) => String(pet[name] ?? ''))
  return {
    name: 'csv',
    header: isForSpreadsheet ? `${byteOrderMark}${lineOf([...columns, 'categoryName'])}` : lineOf(columns),
    hasCategoryName: isForSpreadsheet,
    encode: (pet, categoryName = '') => lineOf(isForSpreadsheet ? [...fieldsOf(pet), categoryName] : fieldsOf(pet)),
    reader: csvReader,
  }
}

export const byteOrderMark = '\ufeff'

/** Writes the fields of a row as a line. */
export function lineWriter(separator: Separator = ','): (fields: readonly string[]) => string {
  return (fields) => `${fields.map((field) => encodeField(field, separator)).join(separator)}\n`
}

function csvReader(): RowReader {
  let cutHeader = headerCutter(separators)
  let named: Separator | undefined
  let header: Header | undefined
  let line = 1

  /** Takes the header, or a line before it that names the separator. */
  function begin(record: HeaderRecord, original: string): void {
    const separator = named === undefined ? namedSeparator(original) : undefined
    if (separator === undefined) header = readHeader(record, original)
    else cutHeader = headerCutter([(named = separator)])
  }

  const reader = cutting(function* (text, isEnd) {
    let start = 0
    while (start < text.length) {
      const record = (header?.cutRecord ?? cutHeader)(text, start, isEnd)
      if (record === undefined) break
      const original = text.slice(start, record.end)
      if (original !== '' && header !== undefined) yield toRow(record, header, line, original)
      else if (original !== '') begin(record as HeaderRecord, original)
      line += 1 + newlinesIn(original)
      start = record.next
    }
    if (text.length - start > maxUncutBytes)
      throw new InvalidFile(`Line ${line} is longer than 1 MiB: is this a CSV file?`)
    if (isEnd && header === undefined) throw new InvalidFile(`The file is empty: ${headerRule}`)
    return start
  })

  return {
    ...reader,
    header: () => header?.original ?? '',
    // These columns come first, so that they stay in place if a rejected row has too many or too few fields.
    rejectsHeader: () => fromByteText(`${['line', 'reason', header?.original].join(header?.separator)}\n`),
    encodeReject({ line, reason, original }) {
      const { separator } = header as Header
      const added = [line, encodeField(reason, separator), ''].join(separator)
      return Buffer.concat([toBytes(added), fromByteText(`${original}\n`)])
    },
  }
}

/** Without an array of the lines: there may be a million. */
function newlinesIn(text: string): number {
  if (!text.includes('\n')) return 0
  let count = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === newline) count++
  return count
}

const newline = 10

interface HeaderRecord extends CsvRecord {
  separator: Separator
  /** Cuts the rows, with the separator of the header. */
  cutRecord: CutRecord
}

/** The separator is the one with which all required columns are found, or else the one that makes more columns. */
function headerCutter(separators: readonly Separator[]): (...from: Parameters<CutRecord>) => HeaderRecord | undefined {
  const cutters = separators.map((separator) => ({ separator, cutRecord: recordCutter({ separator }) }))
  return (...from) => {
    const records: HeaderRecord[] = []
    for (const { separator, cutRecord } of cutters) {
      const record = cutRecord(...from)
      if (record === undefined) return undefined
      records.push({ ...record, separator, cutRecord })
    }
    const whole = records.find(({ fields }) => missingColumn(fields) === undefined)
    return whole ?? records.toSorted((one, other) => other.fields.length - one.fields.length)[0]
  }
}

interface Header extends Pick<HeaderRecord, 'separator' | 'cutRecord'> {
  /** The indexes of the columns; -1 if there is no such column. */
  columns: Readonly<Record<(typeof rowMembers)[number], number>>
  width: number
  original: string
}

const headerRule = 'the first line of a CSV file names the columns, such as name,categoryId,status.'

function readHeader({ fields, fault, separator, cutRecord }: HeaderRecord, original: string): Header {
  if (fault !== undefined) throw new InvalidFile(`The header cannot be read: ${fault}`)
  const missing = missingColumn(fields)
  if (missing !== undefined) throw new InvalidFile(`The header has no column ${missing}: ${headerRule}`)
  const indexOf = (name: string): number => {
    const at = fields.indexOf(name)
    if (at !== fields.lastIndexOf(name))
      throw new InvalidFile(`The header has the column "${name}" twice: ${headerRule}`)
    return at
  }
  const indexes = rowMembers.map((name) => [name, indexOf(name)])
  return {
    columns: Object.fromEntries(indexes) as Header['columns'],
    width: fields.length,
    original,
    separator,
    cutRecord,
  }
}

function missingColumn(fields: readonly string[]): string | undefined {
  if (!fields.includes('name')) return '"name"'
  return fields.includes('categoryId') || fields.includes('categoryName') ? undefined : '"categoryId" or "categoryName"'
}

const check = rowChecker('text')

/** Whether an empty field is as good as none. */
function isOptional(name: string, { columns }: Header): boolean {
  return optionalMembers.has(name) || (name === 'categoryId' && columns.categoryName !== -1)
}

function toRow({ fields, fault }: CsvRecord, header: Header, line: number, original: string): Row {
  const reject = (reason: string): Row => ({ line, reason, original })
  if (fault !== undefined) return reject(fault)
  if (original.length > maxRowBytes) return reject(rowTooLarge)
  if (fields.length !== header.width)
    return reject(`The header has ${header.width} columns, the row has ${fields.length}.`)
  const given: Record<string, string> = {}
  for (const name of rowMembers) {
    const bytes = fields[header.columns[name]]
    if (bytes === undefined || (bytes === '' && isOptional(name, header))) continue
    if (name === 'categoryName' && given.categoryId !== undefined) continue
    const text = fromUtf8(bytes)
    if (text === undefined) return reject(`${name} is not valid UTF-8.`)
    given[name] = text
  }
  const checked = check(given)
  if ('faults' in checked) return reject(checked.faults)
  return { line, original, pet: { ...checked.value, name: detached(checked.value.name) } }
}
