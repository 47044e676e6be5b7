import type { EventPage } from '../../../inventory/events.ts'
import { type EventRow, isGap, toEvent } from '../rows/event-row.ts'
import type { Verdict } from './lineage.ts'
import { toPage } from './page.ts'

/** Event rows after an id or from the oldest; one more than the limit if there are more. */
export interface EventRows {
  rows: EventRow[]
  limit: number
  after: bigint | undefined
  /** The id of the first stored event after `after`, whatever it is about. */
  next: bigint | undefined
  /** The latest event id at the time of the read, or before. */
  latest: bigint
}

/** The id to continue from: that of the last event, or the start of an empty page. */
export function endOfPage({ rows, limit, after }: EventRows): bigint | undefined {
  return rows.slice(0, limit).at(-1)?.[0] ?? after
}

export function toEventPage(found: EventRows, { isLost, history }: Verdict): EventPage {
  if (isLost) return { items: [], more: false, missed: true }
  const { rows, limit, after, next, latest } = found
  const missed = after !== undefined && isGap(after, next, latest)
  return { ...toPage(rows, limit, toEvent), missed, ...(history !== undefined && { history }) }
}

/** Backwards nothing can be missed: it ends where events are not kept any more. */
export function toPageBackwards(rows: EventRow[], limit: number, { isLost, history }: Verdict): EventPage {
  if (isLost) return { items: [], more: false, missed: true }
  return { ...toPage(rows, limit, toEvent), missed: false, ...(history !== undefined && { history }) }
}
