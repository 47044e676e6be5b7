import { isUtf8 } from 'node:buffer'
import type { Row, RowReader } from './format.ts'

/*
 * Files are read as byte text: a string with one character for each byte. So a row that is not valid UTF-8 is one bad
 * row and not a bad file, and what is rejected can be written down as it was. Cutting a string is also several times
 * as fast as cutting a buffer.
 */

/** Cuts complete rows from the start of a byte text, one at a time, and returns the length that was cut. */
export type Cut = (text: string, isEnd: boolean) => Generator<Row, number>

/** Collects chunks of any size until they contain complete rows. Skips a byte order mark. */
export function cutting(cut: Cut): Pick<RowReader, 'push' | 'end'> {
  let text = ''
  let isStart = true

  function* rows(isEnd: boolean): Generator<Row, void> {
    if (isStart && text.length < mark.length && !isEnd) return
    if (isStart && text.startsWith(mark)) text = text.slice(mark.length)
    isStart = false
    text = text.slice(yield* cut(text, isEnd))
  }

  return {
    push(bytes) {
      text += bytes.toString('latin1')
      return rows(false)
    },
    end: () => rows(true),
  }
}

const mark = toBytes('\ufeff').toString('latin1')

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
