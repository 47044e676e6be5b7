import type { EventType, ShopEvent } from '../../../contract/event.ts'

export const eventColumns = 'id, type, subject, at, data, author'

export type EventRow = [id: bigint, type: EventType, subject: bigint, at: bigint, data: string, author: string | null]

/** Ids have no gaps: if the first event is not the next one after `after`, those in between have expired. */
export function isGap(after: bigint, first: bigint | undefined, latest: bigint): boolean {
  const next = after < 0n ? 1n : after + 1n
  return first === undefined ? next <= latest : next < first
}

export function toEvent([id, type, subject, at, data, author]: EventRow): ShopEvent {
  const event: ShopEvent = { id, type, subject, at: Number(at), data }
  if (author !== null) event.author = author
  return event
}
