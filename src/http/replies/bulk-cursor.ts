import { decodePosition, encodePosition, type Position } from '../../contract/position.ts'
import type { Caller } from '../../inventory/caller.ts'
import type { PetStoreError } from '../../inventory/errors.ts'
import type { Events } from '../../inventory/events.ts'
import type { BulkRange } from '../../inventory/pets.ts'
import { decodePairCursor, encodePairCursor } from './cursor.ts'

/** Where a bulk change goes on. */
export interface BulkCursor {
  range: BulkRange
  /** Of the latest event when the dry run counted: a restored backup gives the ids after it again. */
  position?: Position | undefined
}

/** Of the range alone: 20 bytes in base64url. */
const rangeLength = 27

/** The position stands behind the range; the checksum of the range is of it, too. */
export function encodeBulkCursor({ range, position }: BulkCursor, scope: string): string {
  const text = position === undefined ? '' : encodePosition(position)
  return `${encodePairCursor([range.after, range.upTo], scope + text)}${text}`
}

/** Throws `invalid` if it is not a cursor of one of these scopes. */
export function decodeBulkCursor(
  cursor: string | undefined,
  scopes: readonly string[],
  invalid: () => PetStoreError,
): BulkCursor | undefined {
  const text = cursor?.slice(rangeLength) ?? ''
  const ofText = scopes.map((scope) => scope + text)
  const pair = decodePairCursor(cursor?.slice(0, rangeLength), ofText, invalid)
  return pair && { range: { after: pair[0], upTo: pair[1] }, position: decodePosition(text) }
}

/** Whether the database has lost the state in which the dry run counted. */
export async function isLost({ position }: BulkCursor, events: Events, caller?: Caller): Promise<boolean> {
  if (position === undefined || position.id === 0n) return false
  // If the events after it have only expired, the page has an end.
  const { missed, end } = await events.list(1, position.id, position.lineage, {}, caller)
  return missed && end === undefined
}
