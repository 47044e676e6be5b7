import type { NameCursor, PartialSearch } from '../../inventory/pets.ts'

/** The first byte. A cursor that begins with an id has none so high. */
const mark = 0xff

// Then: `after` and `completeUpTo`, the id up to which pets were compared, and the ids of the matches. Each of the first
// two is the length of its key (two bytes, `absent` if there is none), the key and the id.
const absent = 0xffff
const idBytes = 8

/** Whether the bytes of a cursor are those of a search that goes on. */
export function isPartialSearch(bytes: Buffer): boolean {
  return bytes[0] === mark
}

export function encodePartialSearch({ after, comparedUpTo, ids, completeUpTo }: PartialSearch): Buffer {
  const parts = [encodeNameCursor(after), encodeNameCursor(completeUpTo), ...[comparedUpTo, ...ids].map(encodeId)]
  return Buffer.concat([Buffer.of(mark), ...parts])
}

/** Undefined if the bytes are no such search. */
export function decodePartialSearch(bytes: Buffer): PartialSearch | undefined {
  const after = decodeNameCursor(bytes, 1)
  if (after === undefined) return undefined
  const completeUpTo = decodeNameCursor(bytes, after.end)
  if (completeUpTo === undefined) return undefined
  const idsLength = bytes.length - completeUpTo.end
  if (idsLength < idBytes || idsLength % idBytes !== 0) return undefined
  const [comparedUpTo = 0n, ...ids] = Array.from({ length: idsLength / idBytes }, (_none, index) =>
    bytes.readBigInt64BE(completeUpTo.end + index * idBytes),
  )
  return {
    ...(after.cursor && { after: after.cursor }),
    comparedUpTo,
    ids,
    ...(completeUpTo.cursor && { completeUpTo: completeUpTo.cursor }),
  }
}

function encodeId(id: bigint): Buffer {
  const bytes = Buffer.alloc(idBytes)
  bytes.writeBigInt64BE(id)
  return bytes
}

function encodeNameCursor(cursor: NameCursor | undefined): Buffer {
  const key = Buffer.from(cursor?.key ?? '')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(cursor === undefined ? absent : key.length)
  return cursor === undefined ? length : Buffer.concat([length, key, encodeId(cursor.id)])
}

/** Undefined if the bytes are none. */
function decodeNameCursor(bytes: Buffer, start: number): { cursor?: NameCursor; end: number } | undefined {
  const keyStart = start + 2
  if (bytes.length < keyStart) return undefined
  const length = bytes.readUInt16BE(start)
  if (length === absent) return { end: keyStart }
  const keyEnd = keyStart + length
  if (bytes.length < keyEnd + idBytes) return undefined
  const key = bytes.toString('utf8', keyStart, keyEnd)
  // No engine is asked for a key that no name has: PostgreSQL takes no NUL.
  return key.includes('\0') ? undefined : { cursor: { key, id: bytes.readBigInt64BE(keyEnd) }, end: keyEnd + idBytes }
}
