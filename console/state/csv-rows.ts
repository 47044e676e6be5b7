export type Separator = ',' | ';'

/** A row of a CSV file (RFC 4180). Lines end with LF or CR LF. */
export interface CsvRow {
  /** Where the row begins, counted from 1. */
  line: number
  fields: readonly string[]
  /** Why the row is invalid, as a sentence. It is then one line, so that one error does not affect other rows. */
  fault?: string
}

/** The rows of a CSV file, with its header. Rows without any text are left out: spreadsheets save them. */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow, void, undefined> {
  const plainEnd = new RegExp(`[${separator}"]|\\r?(?:\\n|$)`, 'g')
  let line = 1
  for (let start = 0; start < text.length; ) {
    const { next, ...row } = cutRow(text, start, separator, plainEnd)
    if (row.fault !== undefined || row.fields.some((field) => field !== '')) yield { line, ...row }
    line += text.slice(start, next).split('\n').length - 1
    start = next
  }
}

/** Encodes a field. Quotes it if some program might otherwise read it differently. */
export function encodeField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

interface Cut extends Omit<CsvRow, 'line'> {
  /** The start of the next row. */
  next: number
}

function cutRow(text: string, start: number, separator: Separator, plainEnd: RegExp): Cut {
  const fields: string[] = []
  for (let at = start; ; at++) {
    if (text[at] === '"') {
      const closing = closingQuote(text, at + 1)
      if (closing === -1) return faulty(text, start, text.length)
      fields.push(text.slice(at + 1, closing).replaceAll('""', '"'))
      at = closing + 1
    } else {
      // The end of an unquoted field: a separator, the end of the line, or a quote, which it must not contain.
      plainEnd.lastIndex = at
      const end = plainEnd.exec(text)?.index ?? text.length
      fields.push(text.slice(at, end))
      at = end
    }
    if (text[at] === separator) continue
    const line = lineAt(text, at)
    return line.end === at ? { fields, next: line.next } : faulty(text, start, at)
  }
}

/** A row from `start` that is invalid at `at`. If `at` is on a later line, a quote on the first line was not closed. */
function faulty(text: string, start: number, at: number): Cut {
  const { end, next } = lineAt(text, start)
  const fault =
    at <= end ? 'A field that contains a quote must be quoted, and the quote doubled.' : 'A quoted field is not closed.'
  return { fields: [], next, fault }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/** The end of the line that contains `from`, and the start of the next one. */
function lineAt(text: string, from: number): { end: number; next: number } {
  const newline = text.indexOf('\n', from)
  if (newline === -1) return { end: text.length, next: text.length }
  const isCrLf = newline > from && text[newline - 1] === '\r'
  return { end: isCrLf ? newline - 1 : newline, next: newline + 1 }
}
