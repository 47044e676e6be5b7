import type { EventType, ShopEvent } from '../../contract/event.ts'

export type EventRow = [id: bigint, type: EventType, subject: bigint, at: bigint, data: string]

/** Ids have no gaps: when the first one after `after` is not the next one, those in between are not kept any more. */
export function isGap(after: bigint, first: bigint | undefined, latest: bigint): boolean {
  const next = after < 0n ? 1n : after + 1n
  return first === undefined ? next <= latest : next < first
}

export function toEvent([id, type, subject, at, data]: EventRow): ShopEvent {
  return { id, type, subject, at: Number(at), data }
}
