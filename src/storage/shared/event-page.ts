import type { EventPage } from '../../inventory/events.ts'
import { type EventRow, isGap, toEvent } from './event-row.ts'
import type { Verdict } from './lineage.ts'
import { toPage } from './page.ts'

/** Rows of events, one more than the limit where there are more, that were asked for after an id or from the oldest. */
export interface EventRows {
  rows: EventRow[]
  limit: number
  after: bigint | undefined
  /** The latest id when they were read, or before. */
  latest: bigint
}

/** The id that whoever goes on from the page goes on from: the last of its events, or where it began. */
export function endOfPage({ rows, limit, after }: EventRows): bigint | undefined {
  return rows.slice(0, limit).at(-1)?.[0] ?? after
}

export function toEventPage({ rows, limit, after, latest }: EventRows, { isLost, history }: Verdict): EventPage {
  if (isLost) return { items: [], more: false, missed: true }
  const missed = after !== undefined && isGap(after, rows[0]?.[0], latest)
  return { ...toPage(rows, limit, toEvent), missed, ...(history !== undefined && { history }) }
}
