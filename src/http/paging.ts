import { crc32 } from 'node:zlib'
import { defaultLimit, type ListPetsQuery } from '../contract/operations.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { PetFilter } from '../inventory/pets.ts'

/**
 * A cursor is the id that the next page starts behind, and a checksum of it and of the filters: enough to refuse one
 * that was damaged or is used with other filters. It holds no secret, so it needs no signature.
 */
export function encodeCursor(after: bigint, filter: PetFilter): string {
  const bytes = Buffer.alloc(12)
  bytes.writeBigInt64BE(after)
  bytes.writeUInt32BE(checksum(bytes.subarray(0, 8), filter), 8)
  return bytes.toString('base64url')
}

export function decodeCursor(cursor: string, filter: PetFilter): bigint {
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding is lenient; only the exact text that was handed out comes back the same.
  const intact = bytes.length === 12 && bytes.toString('base64url') === cursor
  if (!intact || bytes.readUInt32BE(8) !== checksum(bytes.subarray(0, 8), filter)) {
    throw new PetStoreError(
      'invalid_parameter',
      'cursor must be one from the Link header of a page with the same filters.',
    )
  }
  return bytes.readBigInt64BE()
}

function checksum(after: Buffer, { status, categoryId, id }: PetFilter): number {
  return crc32(`${status ?? ''} ${categoryId ?? ''} ${id ?? ''}`, crc32(after))
}

/** What follows the base address in the link to the next page: the same question, further on. */
export function nextPage({ limit, status, categoryId, id }: ListPetsQuery, cursor: string): string {
  let query = ''
  if (status !== undefined) query += `status=${status}&`
  if (categoryId !== undefined) query += `categoryId=${categoryId}&`
  if (id !== undefined) query += `id=${id}&`
  if (limit !== defaultLimit) query += `limit=${limit}&`
  return `/pets?${query}cursor=${cursor}`
}
