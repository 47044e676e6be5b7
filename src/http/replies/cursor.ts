import { crc32 } from 'node:zlib'
import { defaultLimit } from '../../contract/parameters.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { InventoryCursor } from '../../inventory/inventory-page.ts'
import { canBeNameKey } from '../../inventory/name-words.ts'
import type { NameCursor } from '../../inventory/pets.ts'

const idBytes = 8
const checksumBytes = 4

/**
 * A cursor is the position before the next page, with a checksum of it and of `scope`, which identifies the list, its
 * filters and its sort. That detects damage and use with another list. It has no secret, so it needs no signature, and
 * is checked like other input. In a list by name it has the key of the position, too.
 */
export function encodeCursor(position: { id: bigint } | NameCursor, scope: string): string {
  const key = 'key' in position ? Buffer.from(position.key) : noKey
  const bytes = Buffer.allocUnsafe(idBytes + key.length)
  bytes.writeBigInt64BE(position.id)
  key.copy(bytes, idBytes)
  return withChecksum(bytes, scope)
}

const noKey = Buffer.alloc(0)

function withChecksum(position: Buffer, scope: string): string {
  const bytes = Buffer.allocUnsafe(position.length + checksumBytes)
  position.copy(bytes)
  bytes.writeUInt32BE(checksum(position, scope), position.length)
  return bytes.toString('base64url')
}

/** The position before the page, undefined without a cursor. Throws `invalid` if it is not a cursor of this scope. */
export function decodeCursor(
  cursor: string | undefined,
  scope: string,
  invalid = invalidCursor,
): { id: bigint } | undefined {
  if (cursor === undefined) return undefined
  const bytes = read(cursor, scope, invalid)
  if (bytes.length !== idBytes) throw invalid()
  return { id: bytes.readBigInt64BE() }
}

/** The same for a list by name. */
export function decodeKeyedCursor(cursor: string | undefined, scope: string): NameCursor | undefined {
  if (cursor === undefined) return undefined
  const bytes = read(cursor, scope)
  const key = bytes.toString('utf8', idBytes)
  // Anybody can make a checksum, so a cursor can have any key.
  if (!canBeNameKey(key)) throw invalidCursor()
  return { id: bytes.readBigInt64BE(), key }
}

/** The cursor of a list of categories by their size: their number of animals, then the id. */
export function encodeSizeCursor({ total, id }: InventoryCursor, scope: string): string {
  return encodePairCursor([total, id], scope)
}

export function decodeSizeCursor(cursor: string | undefined, scope: string): InventoryCursor | undefined {
  const pair = decodePairCursor(cursor, scope)
  if (pair === undefined) return undefined
  const [total, id] = pair
  if (total < 1n) throw invalidCursor()
  return { total, id }
}

type Pair = readonly [bigint, bigint]

/** A cursor of two integers. */
export function encodePairCursor([first, second]: Pair, scope: string): string {
  const bytes = Buffer.alloc(2 * idBytes)
  bytes.writeBigInt64BE(first)
  bytes.writeBigInt64BE(second, idBytes)
  return withChecksum(bytes, scope)
}

/** The two integers. Throws `invalid` if they are not those of a cursor of this scope, or of one of these scopes. */
export function decodePairCursor(
  cursor: string | undefined,
  scope: string | readonly string[],
  invalid = invalidCursor,
): Pair | undefined {
  if (cursor === undefined) return undefined
  const bytes = read(cursor, scope, invalid)
  if (bytes.length !== 2 * idBytes) throw invalid()
  return [bytes.readBigInt64BE(), bytes.readBigInt64BE(idBytes)]
}

/** The bytes of the position, if the cursor is of this scope. */
function read(cursor: string, scope: string | readonly string[], invalid = invalidCursor): Buffer {
  const bytes = Buffer.from(cursor, 'base64url')
  const end = bytes.length - checksumBytes
  // Decoding is lenient, so the text is compared with its own encoding.
  const isWhole = end >= idBytes && bytes.toString('base64url') === cursor
  const isOf = (one: string) => bytes.readUInt32BE(end) === checksum(bytes.subarray(0, end), one)
  if (!isWhole || !(typeof scope === 'string' ? isOf(scope) : scope.some(isOf))) throw invalid()
  return bytes.subarray(0, end)
}

function invalidCursor(): PetStoreError {
  const message = 'cursor must be one from the Link header of a page with the same filters and sort.'
  return new PetStoreError('invalid_parameter', message, { fields: ['cursor'] })
}

function checksum(position: Buffer, scope: string): number {
  return crc32(scope, crc32(position))
}

export interface NextPage {
  /** Relative to the base address: the same query, further on. */
  link: string
  /** Undefined for lists that go on from a position. */
  cursor?: string | undefined
}

export function nextPage(path: string, filter: Filter, limit: number, further: Further): NextPage {
  const link = withParameters(path, limit === defaultLimit ? filter : { ...filter, limit })
  return { link: withParameters(link, further), cursor: further.cursor }
}

function withParameters(link: string, parameters: Filter): string {
  for (const name in parameters) {
    const value = parameters[name]
    if (value !== undefined) link += `${link.includes('?') ? '&' : '?'}${name}=${value}`
  }
  return link
}

/** Values that need no encoding in a query. */
type Filter = Record<string, string | number | bigint | undefined>
type Further = { cursor?: string } | { after: string | undefined; cursor?: undefined }
