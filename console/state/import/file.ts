import { importLimit } from '../../../src/contract/body-limit.ts'
import type { Separator } from '../../../src/transfer/formats/csv-record.ts'
import { decodedText, type Encoding, InvalidFile, markedEncoding, refuseWorkbook, WrongEncoding } from './decode.ts'
import { guessColumns, isOwnStatus } from './guess.ts'
import {
  csvRecords,
  type FileRow,
  type HeaderGuess,
  type HeaderPlace,
  ndjsonRecords,
  readHeader,
  type RowGroups,
} from './records.ts'

/** A file that was read once. It is read again for every use: it may be larger than the memory. */
export interface ImportFile {
  blob: Blob
  name: string
  format: 'csv' | 'ndjson'
  encoding: Encoding
  /** Whether the encoding cannot be known: a person has to look at the names. */
  isEncodingGuessed: boolean
  separator: Separator
  /** The names of the columns of a CSV file, by their position if it has none. */
  header: readonly string[]
  above: HeaderPlace
  /** The rows of a CSV file that may have the names of the columns. */
  headerChoices: readonly FileRow[]
  /** The number of rows, valid or not, without the header. */
  count: number
  columns: readonly ColumnTexts[]
  /** Rows to look at: the first ones, or the first with letters that depend on a guessed encoding. */
  samples: readonly FileRow[]
}

/** The texts of a column. */
export interface ColumnTexts {
  /** How often it has which text; undefined if it has too many. */
  counts: Map<string, number> | undefined
  /** Whether all of them are integers. */
  isNumeric: boolean
}

export interface OpenOptions {
  /** Found by itself if it is not given. */
  encoding?: Encoding | undefined
  /** Found by itself if it is not given. */
  above?: HeaderPlace | undefined
  /** Whether the given encoding was guessed. Default: it was. */
  isGuessed?: boolean
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

const sampleCount = 5
/** A column with more different texts, or longer ones, is no status. */
const maxTexts = 30
const maxTextLength = 60

/** Reads a file: NDJSON by its name or its first character, otherwise CSV. Throws an InvalidFile. */
export async function openImportFile(blob: Blob, name: string, options: OpenOptions = {}): Promise<ImportFile> {
  if (blob.size > importLimit) throw new InvalidFile('The file is larger than 1 GiB. Divide it into smaller ones.')
  const start = new Uint8Array(await blob.slice(0, 4).arrayBuffer())
  refuseWorkbook(start)
  const encoding = options.encoding ?? markedEncoding(start) ?? 'utf-8'
  try {
    return await survey(blob, name, encoding, {
      ...options,
      isGuessed: options.isGuessed ?? options.encoding !== undefined,
    })
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error
    if (encoding !== 'utf-8') throw new InvalidFile('The file is damaged: it ends within a character.')
    return survey(blob, name, 'windows-1252', { ...options, isGuessed: true })
  }
}

async function survey(
  blob: Blob,
  name: string,
  encoding: Encoding,
  { onProgress, signal, isGuessed, above: chosen }: OpenOptions & { isGuessed: boolean },
): Promise<ImportFile> {
  let characters = 0
  async function* text() {
    for await (const piece of decodedText(blob, encoding, signal)) {
      if (piece.includes('\0')) throw new InvalidFile('The file is not text.')
      characters += piece.length
      yield piece
    }
  }
  const isNdjson = /\.(ndjson|jsonl)$/i.test(name) || (await firstCharacter(text())) === '{'
  const {
    separator,
    header,
    above,
    first: headerChoices,
  } = isNdjson ? noHeader : await readHeader(text, isHeader, chosen)
  const columns: ColumnTexts[] = header.map(() => ({ counts: new Map(), isNumeric: true }))
  const first: FileRow[] = []
  const special: FileRow[] = []
  const file = { blob, name, encoding, isEncodingGuessed: isGuessed, separator, header, above, headerChoices }
  const whole = { ...file, format: isNdjson ? ('ndjson' as const) : ('csv' as const) }
  let count = 0
  characters = 0
  for await (const rows of rowsOf(whole, text())) {
    count += rows.length
    for (const row of rows) {
      if (first.length < sampleCount) first.push(row)
      if (isGuessed && special.length < sampleCount && /[^\0-\x7f]/.test(row.original)) special.push(row)
      if (row.fault === undefined) for (const [at, column] of columns.entries()) addText(column, row.fields[at] ?? '')
    }
    onProgress?.(Math.min(characters / blob.size, 1))
  }
  if (count === 0) throw new InvalidFile(isNdjson ? 'The file is empty.' : onlyHeader)
  return { ...whole, count, columns, samples: special.length === 0 ? first : special }
}

const noHeader = { separator: ',', header: [], above: 0, first: [] } as const

/** Names that the service knows, or two that people give such columns. No column is called by a number or a status. */
function isHeader(names: readonly string[]): HeaderGuess {
  if (names.includes('name') && names.some((one) => /^category(Id|Name)$/.test(one))) return 'surely'
  const found = guessColumns(names, () => false)
  if (found.name !== undefined && Object.keys(found).length > 1) return 'maybe'
  return names.some((name) => isOwnStatus(name) || isInteger(name)) ? 'never' : 'no'
}

const onlyHeader = 'The file has no animals: it has only the line with the names of the columns.'

function isInteger(text: string): boolean {
  return /^-?[0-9]+$/.test(text)
}

function addText(column: ColumnTexts, field: string): void {
  const text = field.trim()
  if (text !== '' && column.isNumeric) column.isNumeric = isInteger(text)
  const { counts } = column
  if (counts === undefined) return
  counts.set(text, (counts.get(text) ?? 0) + 1)
  if (counts.size > maxTexts || text.length > maxTextLength) column.counts = undefined
}

async function firstCharacter(text: AsyncIterable<string>): Promise<string | undefined> {
  for await (const piece of text) if (piece.trim() !== '') return piece.trimStart()[0]
  throw new InvalidFile('The file is empty.')
}

/** The rows of a file below its header. */
export async function* rowsOf(
  { blob, encoding, format, separator, header, above }: Omit<ImportFile, 'count' | 'columns' | 'samples'>,
  text: AsyncIterable<string> = decodedText(blob, encoding),
): RowGroups {
  if (format === 'ndjson') return yield* ndjsonRecords(text)
  let skipped = above === 'none' ? 0 : above + 1
  for await (const rows of csvRecords(text, separator)) {
    skipped -= rows.splice(0, skipped).length
    yield rows.map((row) => withWidthFault(row, header.length, above === 'none' ? 'first row' : 'header'))
  }
}

function withWidthFault(row: FileRow, width: number, first: string): FileRow {
  const { length } = row.fields
  if (row.fault !== undefined || length === width) return row
  return { ...row, fault: `The ${first} has ${width} columns, the row has ${length}.` }
}
