import { isUtf8 } from 'node:buffer'
import { InvalidFile, type Row, type RowReader } from './format.ts'

/*
 * Files are read as byte text: a string with one character for each byte. So a row that is not valid UTF-8 is one bad
 * row and not a bad file, and what is rejected can be written down as it was. Cutting a string is also several times
 * as fast as cutting a buffer.
 */

/** Cuts complete rows from the start of a byte text, one at a time, and returns the length that was cut. */
export type Cut = (text: string, isEnd: boolean) => Generator<Row, number>

/**
 * Collects chunks of any size until they contain complete rows. Skips a byte order mark; that of UTF-16 says how the
 * bytes are to be turned into UTF-8.
 */
export function cutting(cut: Cut): Pick<RowReader, 'push' | 'end'> {
  let text = ''
  let isStart = true
  let utf16: Utf16Reader | undefined

  function begin(): void {
    isStart = false
    if (text.startsWith(mark)) text = text.slice(mark.length)
    utf16 = utf16Reader(text)
    if (utf16 !== undefined) text = utf16(fromByteText(text))
  }

  function* rows(isEnd: boolean): Generator<Row, void> {
    if (isStart && text.length < mark.length && !isEnd) return
    if (isStart) begin()
    if (isEnd && utf16 !== undefined) text += utf16()
    text = text.slice(yield* cut(text, isEnd))
  }

  return {
    push(bytes) {
      text += utf16 === undefined ? bytes.toString('latin1') : utf16(bytes)
      return rows(false)
    },
    end: () => rows(true),
  }
}

const mark = toBytes('\ufeff').toString('latin1')

/** Turns pieces of UTF-16 into byte text of UTF-8; at the end it is called without bytes. */
type Utf16Reader = (bytes?: Buffer) => string

/** Undefined if the beginning of a file is not a byte order mark of UTF-16. */
function utf16Reader(beginning: string): Utf16Reader | undefined {
  const mark = beginning.slice(0, 2)
  if (mark !== '\xff\xfe' && mark !== '\xfe\xff') return undefined
  const decoder = new TextDecoder(mark === '\xff\xfe' ? 'utf-16le' : 'utf-16be', { fatal: true })
  return (bytes) => {
    try {
      return toBytes(decoder.decode(bytes, { stream: bytes !== undefined })).toString('latin1')
    } catch {
      throw new InvalidFile('The file begins like UTF-16, but is not valid UTF-16.')
    }
  }
}

/** Decodes UTF-8; undefined if the bytes are invalid. */
export function fromUtf8(byteText: string): string | undefined {
  if (!/[\x80-\xff]/.test(byteText)) return byteText
  const bytes = fromByteText(byteText)
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** A copy: V8 keeps a whole text in memory for a part of it, unless it makes a new text of that part. */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}

export function fromByteText(byteText: string): Buffer {
  return Buffer.from(byteText, 'latin1')
}

export function toBytes(text: string): Buffer {
  return Buffer.from(text)
}
