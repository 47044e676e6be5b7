import { maxRowBytes, maxUncutBytes } from './bytes.ts'

/** One record of a CSV file (RFC 4180). Lines end with LF or CR LF. */
export interface CsvRecord {
  fields: string[]
  /** The end of the record and the start of the next one, as indexes into the text. */
  end: number
  next: number
  /** Why the record is invalid, as a sentence. It is then one line, so that one error does not affect other rows. */
  fault?: string
}

/** The record that begins at `start`, undefined if its end is not in the text yet. */
export function cutRecord(text: string, start: number, isEnd: boolean): CsvRecord | undefined {
  const line = lineAt(text, start, isEnd)
  if (line === undefined) return undefined
  const record = text.slice(start, line.end)
  if (record.includes('"')) return cutQuoted(text, start, isEnd)
  // A record above the limit is rejected whatever its fields are: there may be a million.
  return { fields: record.length > maxRowBytes ? [] : record.split(','), ...line }
}

function cutQuoted(text: string, start: number, isEnd: boolean): CsvRecord | undefined {
  const fields: string[] = []
  for (let at = start; ; at++) {
    if (text[at] === '"') {
      const closing = closingQuote(text, at + 1)
      const mayClose = !isEnd && text.length - start <= maxUncutBytes
      if (closing === -1) return mayClose ? undefined : faulty(text, start, text.length)
      fields.push(text.slice(at + 1, closing).replaceAll('""', '"'))
      at = closing + 1
    } else {
      const end = plainEnd(text, at)
      fields.push(text.slice(at, end))
      at = end
    }
    if (text[at] === ',') continue
    const line = lineAt(text, at, isEnd)
    if (line === undefined) return undefined
    return line.end === at ? { fields, ...line } : faulty(text, start, at)
  }
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

/** The end of an unquoted field: a comma, the end of the line, or a quote, which it must not contain. */
function plainEnd(text: string, from: number): number {
  const end = /[,"]|\r?(?:\n|$)/g
  end.lastIndex = from
  return end.exec(text)?.index ?? text.length
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
  return { end: end > from && text[end - 1] === '\r' ? end - 1 : end, next }
}

/** Encodes a field. Quotes it if some program might otherwise read it differently. */
export function encodeField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
