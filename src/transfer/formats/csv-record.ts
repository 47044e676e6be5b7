import { maxRowBytes, maxUncutBytes } from '../../contract/body-limit.ts'

export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

/** What they are called in a request. */
export const separatorNames = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Record<string, Separator>

/** The separator that a line such as `sep=;` names: Excel reads it, and some programs write it, before the header. */
export function namedSeparator(line: string): Separator | undefined {
  return /^("?)sep=([,;\t])\1$/i.exec(line)?.[2] as Separator | undefined
}

/** One record of a CSV file (RFC 4180). Lines end with LF or CR LF. */
export interface CsvRecord {
  fields: string[]
  /** The end of the record and the start of the next one, as indexes into the text. */
  end: number
  next: number
  /** Why the record is invalid, as a sentence. It is then one line, so that one error does not affect other rows. */
  fault?: string
}

/** How far a quoted record was read whose end was not in the text yet. Positions count from its start. */
interface Unfinished {
  fields: string[]
  /** The start of the field that has no end yet, and where to look for its end. */
  field: number
  searched: number
}

/** The record that begins at `start`, undefined if its end is not in the text yet: then the next call has it with more text. */
export type CutRecord = (text: string, start: number, isEnd: boolean) => CsvRecord | undefined

export interface CutterOptions {
  separator?: Separator
  /** The fields of a longer record are left out: there may be a million. */
  maxRecordLength?: number
}

/** Reads on in a record where it stopped: a record that arrives in many pieces is read once. */
export function recordCutter({ separator = ',', maxRecordLength = maxRowBytes }: CutterOptions = {}): CutRecord {
  // The end of an unquoted field: a separator, the end of the line, or a quote, which it must not contain.
  const plainEnd = new RegExp(`[${separator}"]|\\r?(?:\\n|$)`, 'g')
  let unfinished: Unfinished | undefined

  return (text, start, isEnd) => {
    if (unfinished === undefined) {
      const line = lineAt(text, start, isEnd)
      if (line === undefined) return undefined
      const record = text.slice(start, line.end)
      if (!record.includes('"'))
        return { fields: record.length > maxRecordLength ? [] : record.split(separator), ...line }
    }
    const cut = cutQuoted(text, start, isEnd, unfinished)
    unfinished = 'searched' in cut ? cut : undefined
    return 'searched' in cut ? undefined : cut
  }

  function cutQuoted(text: string, start: number, isEnd: boolean, before?: Unfinished): CsvRecord | Unfinished {
    const fields = before?.fields ?? []
    let at = start + (before?.field ?? 0)
    for (let searched = start + (before?.searched ?? 0); ; searched = ++at) {
      const field = at
      const isQuoted = text[field] === '"'
      const end = isQuoted ? closingQuote(text, Math.max(searched, field + 1)) : endOfPlain(text, searched)
      if (end === -1 && (isEnd || text.length - start > maxUncutBytes)) return faulty(text, start, text.length)
      if (end === -1) return { fields, field: field - start, searched: text.length - start }
      at = isQuoted ? end + 1 : end
      const line = text[at] === separator ? undefined : lineAt(text, at, isEnd)
      // Its end is looked for again: it may be half of a doubled quote, or of CR LF.
      if (text[at] !== separator && line === undefined) return { fields, field: field - start, searched: end - start }
      if (end - start <= maxRecordLength) fields.push(fieldOf(text, field, end, isQuoted))
      if (line !== undefined) return line.end === at ? { fields, ...line } : faulty(text, start, at)
    }
  }

  function endOfPlain(text: string, from: number): number {
    plainEnd.lastIndex = from
    return plainEnd.exec(text)?.index ?? text.length
  }
}

function fieldOf(text: string, start: number, end: number, isQuoted: boolean): string {
  return isQuoted ? text.slice(start + 1, end).replaceAll('""', '"') : text.slice(start, end)
}

/**
 * A record from `start` that is invalid at `at`. If `at` is on a later line, a quote on the first line was not closed.
 */
function faulty(text: string, start: number, at: number): CsvRecord {
  const { end, next } = lineAt(text, start, true)
  return { fields: [], end, next, fault: at <= end ? misplaced : notClosed }
}

const misplaced = 'A field that contains a quote must be quoted, and the quote doubled.'
const notClosed = 'A quoted field is not closed.'

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

interface Line {
  end: number
  next: number
}

/** The end of the line that contains `from`, undefined if it is not in the text yet. */
function lineAt(text: string, from: number, isEnd: true): Line
function lineAt(text: string, from: number, isEnd: boolean): Line | undefined
function lineAt(text: string, from: number, isEnd: boolean): Line | undefined {
  const newline = text.indexOf('\n', from)
  if (newline === -1 && !isEnd) return undefined
  const end = newline === -1 ? text.length : newline
  const next = newline === -1 ? end : newline + 1
  return { end: text[end - 1] === '\r' ? end - 1 : end, next }
}

/** Encodes a field. Quotes it if some program might otherwise read it differently. */
export function encodeField(text: string, separator: Separator = ','): string {
  return /["\r\n]|^\s|\s$/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
}
