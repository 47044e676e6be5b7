import { crc32 } from 'node:zlib'
import { defaultLimit } from '../../contract/parameters.ts'
import { isHistory, type Position } from '../../contract/position.ts'
import { PetStoreError } from '../../inventory/errors.ts'

const idBytes = 8
const historyBytes = 8
const checksumBytes = 4

/**
 * A cursor is the position that the next page starts behind, and a checksum of it and of `scope`, which tells the list and
 * its filters: enough to refuse one that was damaged or is used elsewhere. It holds no secret, so it needs no signature.
 */
export function encodeCursor({ id, history = '' }: Position, scope: string): string {
  const bytes = Buffer.alloc(idBytes + history.length + checksumBytes)
  bytes.writeBigInt64BE(id)
  bytes.write(history, idBytes, 'latin1')
  bytes.writeUInt32BE(checksum(bytes, scope), bytes.length - checksumBytes)
  return bytes.toString('base64url')
}

/** The position that the page starts behind, undefined without a cursor. */
export function decodeCursor(cursor: string | undefined, scope: string): Position | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const end = bytes.length - checksumBytes
  const history = bytes.toString('latin1', idBytes, end)
  const isWhole = end === idBytes || (end === idBytes + historyBytes && isHistory(history))
  // Decoding is lenient; only the exact text that was handed out comes back the same.
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

/** What follows the base address in the link to the next page: the same question, further on. */
export function nextPage(path: string, filter: Filter, limit: number, further: Filter): string {
  const asked = { ...filter, limit: limit === defaultLimit ? undefined : limit, ...further }
  const query = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${path}?${query.join('&')}`
}

/** Values that a query takes as they are. */
type Filter = Record<string, string | number | bigint | undefined>
