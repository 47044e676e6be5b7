import { channel } from 'node:diagnostics_channel'
import type { Noun } from '../../../inventory/tables.ts'

/** What a row is about, in the words of a message. */
export type RowKind = Noun | 'event' | 'API key'

/** A stored row that no operation can show: something has damaged the database. The message is a sentence. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow'
  readonly kind: RowKind
  readonly id: bigint | string

  constructor(kind: RowKind, id: bigint | string, fault: string) {
    super(`The ${kind} ${id} cannot be read: ${fault}.`)
    this.kind = kind
    this.id = id
  }
}

/** Has every UnreadableRow that was left out of a list. Whoever runs the process must tell its operator. */
export const leftOut = channel('petstore:unreadable-row')

/**
 * Decodes the rows of a list. One that cannot be read is left out and reported: it must not make the others
 * inaccessible. Costs nothing while all can be read.
 */
export function decodeReadable<Row, Item>(rows: readonly Row[], toItem: (row: Row) => Item): Item[] {
  try {
    return rows.map((row) => toItem(row))
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
  }
  return rows.flatMap((row) => {
    try {
      return [toItem(row)]
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error
      leftOut.publish(error)
      return []
    }
  })
}

/** The range of a JavaScript date, in milliseconds before and after 1970. */
const maxTimeMs = 8_640_000_000_000_000

/** Whether a column is a time that can be shown. */
export function isTime(at: unknown): boolean {
  return typeof at === 'bigint' && Math.abs(Number(at)) <= maxTimeMs
}

/** For names: what clients sent is never empty. */
export function isText(text: unknown): boolean {
  return typeof text === 'string' && text !== ''
}
