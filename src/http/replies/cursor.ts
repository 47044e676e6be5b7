import { crc32 } from 'node:zlib'
import { defaultLimit } from '../../contract/parameters.ts'
import { PetStoreError } from '../../inventory/errors.ts'

/**
 * A cursor is the id that the next page starts behind, and a checksum of it and of `scope`, which tells the list and its
 * filters: enough to refuse one that was damaged or is used elsewhere. It holds no secret, so it needs no signature.
 */
export function encodeCursor(after: bigint, scope: string): string {
  const bytes = Buffer.alloc(12)
  bytes.writeBigInt64BE(after)
  bytes.writeUInt32BE(checksum(bytes.subarray(0, 8), scope), 8)
  return bytes.toString('base64url')
}

/** The id that the page starts behind, undefined without a cursor. */
export function decodeCursor(cursor: string | undefined, scope: string): bigint | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding is lenient; only the exact text that was handed out comes back the same.
  const intact = bytes.length === 12 && bytes.toString('base64url') === cursor
  if (!intact || bytes.readUInt32BE(8) !== checksum(bytes.subarray(0, 8), scope)) {
    throw new PetStoreError(
      'invalid_parameter',
      'cursor must be one from the Link header of a page with the same filters.',
    )
  }
  return bytes.readBigInt64BE()
}

function checksum(after: Buffer, scope: string): number {
  return crc32(scope, crc32(after))
}

/** What follows the base address in the link to the next page: the same question, further on. */
export function nextPage(path: string, filter: Filter, limit: number, further: Filter): string {
  const asked = { ...filter, limit: limit === defaultLimit ? undefined : limit, ...further }
  const query = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${path}?${query.join('&')}`
}

/** Values that a query takes as they are. */
type Filter = Record<string, string | number | bigint | undefined>
