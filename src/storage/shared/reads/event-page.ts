import type { EventPage } from '../../../inventory/events.ts'
import { isGap } from '../rows/event-row.ts'
import { type ListedEventRow, toListedEvent } from './large-events.ts'
import type { PositionCheck } from './lineage.ts'
import { toPage } from './page.ts'

/** Event rows after an id or from the oldest; one more than the limit if there are more. */
export interface EventRows {
  rows: ListedEventRow[]
  limit: number
  after: bigint | undefined
  /** The id of the first stored event after `after`, whatever it is about. */
  next: bigint | undefined
  /** The latest event id at the time of the read, or before. */
  latest: bigint
}

/** The id to go on from: that of the last event of the page, and on the last page of the latest of all. */
export function endOfPage({ rows, limit, latest }: EventRows): bigint {
  if (rows.length > limit) return rows[limit - 1]?.[0] ?? latest
  // An event may have been committed after `latest` was read.
  const last = rows.at(-1)?.[0] ?? latest
  return last > latest ? last : latest
}

export function toEventPage(found: EventRows, { isLost, lineage }: PositionCheck): EventPage {
  if (isLost) return { items: [], more: false, missed: true }
  const { rows, limit, after, next, latest } = found
  const missed = after !== undefined && isGap(after, next, latest)
  const end = endOfPage(found)
  return { ...toPage(rows, limit, toListedEvent), missed, end, ...(lineage !== undefined && { lineage }) }
}

/** The id to go on from in descending order. */
export function endBackwards(rows: readonly ListedEventRow[], limit: number): bigint | undefined {
  return rows.slice(0, limit).at(-1)?.[0]
}

/** Backwards nothing can be missed: it ends where events are not kept any more. */
export function toPageBackwards(rows: ListedEventRow[], limit: number, { isLost, lineage }: PositionCheck): EventPage {
  if (isLost) return { items: [], more: false, missed: true }
  const end = endBackwards(rows, limit)
  return {
    ...toPage(rows, limit, toListedEvent),
    missed: false,
    ...(end !== undefined && { end }),
    ...(lineage !== undefined && { lineage }),
  }
}
