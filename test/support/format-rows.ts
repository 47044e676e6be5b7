import assert from 'node:assert/strict'
import type { Format, Reject, Row } from '../../src/transfer/formats/format.ts'
import type { RowPet } from '../../src/transfer/formats/row-pet.ts'

export function readBytes(format: Format, bytes: Buffer, pieceSize = Number.POSITIVE_INFINITY): Row[] {
  const reader = format.reader()
  const rows: Row[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) rows.push(...reader.push(bytes.subarray(at, at + pieceSize)))
  return [...rows, ...reader.end()]
}

type Read = { line: number; pet: RowPet } | Reject

/** Pets without their original text, which must be in the content. */
export function read(format: Format, content: string | Buffer, pieceSize = Number.POSITIVE_INFINITY): Read[] {
  const bytes = Buffer.from(content as string)
  return readBytes(format, bytes, pieceSize).map((row) => {
    assert.ok(bytes.includes(Buffer.from(row.original, 'latin1')), row.original)
    return 'pet' in row ? { line: row.line, pet: row.pet } : row
  })
}
