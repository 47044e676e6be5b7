import { type EventType, eventTypes, type ShopEvent } from '../../../contract/event.ts'
import { columnsOf } from '../../../inventory/snapshot.ts'
import { isTime, leftOut, UnreadableRow } from './unreadable-row.ts'

export const eventColumns = columnsOf.events.join(', ')

/**
 * The lineage in which an event got its id, or NULL. `id` is SQL, with the name of its table. Lineages ascend by
 * `events_before`, which has an index; one that gave no id ends where it begins.
 */
export function lineageOfEventSql(id: string): string {
  return `(SELECT id FROM lineages WHERE events_before < ${id} ORDER BY events_before DESC, number DESC LIMIT 1)`
}

export type EventRow = [id: bigint, type: EventType, subject: bigint, at: bigint, data: string, author: string | null]

/** Ids have no gaps: if the first event is not the next one after `after`, those in between have expired. */
export function isGap(after: bigint, first: bigint | undefined, latest: bigint): boolean {
  const next = after < 0n ? 1n : after + 1n
  return first === undefined ? next <= latest : next < first
}

const types: ReadonlySet<string> = new Set(eventTypes)

export function toEvent([id, type, subject, at, data, author]: EventRow): ShopEvent {
  if (!types.has(type)) throw new UnreadableRow('event', id, `it has the type ${JSON.stringify(type)}`)
  if (!isTime(at)) throw new UnreadableRow('event', id, `${at} is not a time`)
  if (!isObject(data)) throw noJson(id)
  if (author !== null && !isObject(author)) throw new UnreadableRow('event', id, 'its author is not JSON')
  const event: ShopEvent = { id, type, subject, at: Number(at), data }
  if (author !== null) event.author = author
  return event
}

/**
 * For a page. An event that cannot be read keeps its place, so that positions go on and the others are sent; it is
 * reported.
 */
export function toEventOrMark(row: EventRow): ShopEvent {
  try {
    return toEvent(row)
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    return mark(error, row[0])
  }
}

/** An event whose data were read after its other members. */
export function withData(event: ShopEvent, data: string): ShopEvent {
  const { id, lineage } = event
  return isObject(data) ? { ...event, data } : { ...mark(noJson(id), id), lineage }
}

function mark(fault: UnreadableRow, id: bigint): ShopEvent {
  leftOut.publish(fault)
  return { id, type: 'pet.updated', subject: 0n, at: 0, data: '{}', isUnreadable: true }
}

function noJson(id: bigint): UnreadableRow {
  return new UnreadableRow('event', id, 'its data is not JSON')
}

/** In characters. Longer JSON is not parsed: that would cost more than to send it. */
const maxParsed = 1_000

/** Stored JSON is sent as it is, so that one event which is none would spoil the page of all others. */
function isObject(json: string): boolean {
  if (typeof json !== 'string' || !json.startsWith('{') || !json.endsWith('}')) return false
  if (json.length > maxParsed) return true
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
