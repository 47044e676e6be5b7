import { crc32 } from 'node:zlib'
import { defaultLimit } from '../../contract/parameters.ts'
import { isHistory, type Position } from '../../contract/position.ts'
import { PetStoreError } from '../../inventory/errors.ts'

const idBytes = 8
const historyBytes = 8
const checksumBytes = 4

/**
 * A cursor is the position before the next page, with a checksum of it and of `scope`, which identifies the list and
 * its filters. That detects damage and use with another list. It has no secret, so it needs no signature.
 */
export function encodeCursor({ id, history = '' }: Position, scope: string): string {
  const bytes = Buffer.alloc(idBytes + history.length + checksumBytes)
  bytes.writeBigInt64BE(id)
  bytes.write(history, idBytes, 'latin1')
  bytes.writeUInt32BE(checksum(bytes, scope), bytes.length - checksumBytes)
  return bytes.toString('base64url')
}

/** The position before the page, undefined without a cursor. */
export function decodeCursor(cursor: string | undefined, scope: string): Position | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const end = bytes.length - checksumBytes
  const history = bytes.toString('latin1', idBytes, end)
  const isWhole = end === idBytes || (end === idBytes + historyBytes && isHistory(history))
  // Decoding is lenient, so the text is compared with its own encoding.
  if (!isWhole || bytes.toString('base64url') !== cursor || bytes.readUInt32BE(end) !== checksum(bytes, scope)) {
    throw new PetStoreError(
      'invalid_parameter',
      'cursor must be one from the Link header of a page with the same filters and sort.',
    )
  }
  const id = bytes.readBigInt64BE()
  return end === idBytes ? { id } : { id, history }
}

function checksum(bytes: Buffer, scope: string): number {
  return crc32(scope, crc32(bytes.subarray(0, -checksumBytes)))
}

/** The link to the next page, relative to the base address: the same query, further on. */
export function nextPage(path: string, filter: Filter, limit: number, further: Filter): string {
  const asked = { ...filter, limit: limit === defaultLimit ? undefined : limit, ...further }
  const query = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${path}?${query.join('&')}`
}

/** Values that need no encoding in a query. */
type Filter = Record<string, string | number | bigint | undefined>
