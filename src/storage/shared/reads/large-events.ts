import type { ShopEvent } from '../../../contract/event.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { type EventRow, toEventOrMark, withData } from '../rows/event-row.ts'

/** A row of a list. Large data are null there, and their bytes are in one more column. Then comes the lineage of the id. */
export type ListedEventRow = EventRow extends [...infer Head extends EventHead, string, infer Author]
  ? [...Head, data: string | null, author: Author, dataBytes?: number | bigint | null, lineage?: string | null]
  : never
type EventHead = [bigint, EventRow[1], bigint, bigint]

/** An event of a list. Large data are left out: these are their bytes. */
interface ListedEvent extends ShopEvent {
  leftOutBytes?: number
}

/** The data of those events that are still stored, by id. */
export type ReadData = (ids: readonly bigint[]) => Promise<ReadonlyMap<bigint, string>>

export function toListedEvent(row: ListedEventRow): ListedEvent {
  const [id, type, subject, at, data, author, dataBytes, lineage] = row
  const isLeftOut = data === null && (typeof dataBytes === 'number' || typeof dataBytes === 'bigint')
  const event: ListedEvent = toEventOrMark([id, type, subject, at, isLeftOut ? '{}' : (data as string), author])
  if (typeof lineage === 'string') event.lineage = lineage
  if (isLeftOut && !event.isUnreadable) event.leftOutBytes = Number(dataBytes)
  return event
}

/** Reads the data that a list has left out, when there is room for them. False if an event has expired meanwhile. */
export async function addLargeData(items: ListedEvent[], readData: ReadData, caller?: Caller): Promise<boolean> {
  const large = items.filter(({ leftOutBytes }) => leftOutBytes !== undefined)
  if (large.length === 0) return true
  await caller?.reserve(
    large.reduce((sum, { leftOutBytes = 0 }) => sum + leftOutBytes, 0),
    true,
  )
  const dataOf = await readData(large.map(({ id }) => id))
  if (dataOf.size < large.length) return false
  for (const [index, { leftOutBytes, ...event }] of items.entries()) {
    if (leftOutBytes !== undefined) items[index] = withData(event, dataOf.get(event.id) as string)
  }
  return true
}
