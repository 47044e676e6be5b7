import { isUtf8 } from 'node:buffer'
import { bodyLimit } from '../../../http/server/limits.ts'
import type { Row } from './format.ts'

/*
 * Files are read as byte text: a string with one character for each byte. So a row that is not valid UTF-8 is one bad
 * row and not a bad file, and what is rejected can be written down as it was. Cutting a string is also several times
 * as fast as cutting a buffer.
 */

/** In bytes. As much as a body may have, and what an export adds to that: the id, and the digits of `1e18` in full. */
export const maxRowBytes = bodyLimit + 64
export const rowTooLarge = 'The row is larger than 64 KiB.'

/** In bytes. What is longer is no row: without a bound a file without line ends would fill the memory. */
export const longestRow = 1024 * 1024

/** Takes whole rows from the front of a byte text, adds them to `rows`, and returns how much of the text they were. */
export type Cut = (text: string, isEnd: boolean, rows: Row[]) => number

/** Gathers bytes, which come in pieces of any size, until there are rows to cut. A byte order mark is not part of them. */
export function cutting(cut: Cut): { push(bytes: Buffer): Row[]; end(): Row[] } {
  let text = ''
  let isStart = true

  function rows(isEnd: boolean): Row[] {
    if (isStart && text.length < mark.length && !isEnd) return []
    if (isStart && text.startsWith(mark)) text = text.slice(mark.length)
    isStart = false
    const found: Row[] = []
    text = text.slice(cut(text, isEnd, found))
    return found
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

/** The text that the bytes are in UTF-8, undefined when they are not. */
export function fromUtf8(byteText: string): string | undefined {
  if (!/[\x80-\xff]/.test(byteText)) return byteText
  const bytes = fromByteText(byteText)
  return isUtf8(bytes) ? bytes.toString() : undefined
}

export function fromByteText(byteText: string): Buffer {
  return Buffer.from(byteText, 'latin1')
}

export function toBytes(text: string): Buffer {
  return Buffer.from(text)
}
