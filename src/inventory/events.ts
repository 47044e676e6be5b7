import type { EventType, ShopEvent } from '../contract/event.ts'
import type { Position } from '../contract/position.ts'
import type { Caller } from './caller.ts'

export interface EventPage {
  items: ShopEvent[]
  /** Whether a next page exists. */
  more: boolean
  /** Whether the reader has missed events: some after `after` have expired, or its lineage was lost. */
  missed: boolean
  /**
   * The id to go on from: everything up to it is in this page or in those before. On the last page of `list` it is the
   * latest event, whatever that is about.
   */
  end?: bigint
  /** The newest lineage, for the position of `end`. */
  lineage?: string
}

/** One animal, with its orders, which change its status; or one order; or anything. */
export interface EventSubject {
  petId?: bigint | undefined
  /** Not together with `petId`. */
  orderId?: bigint | undefined
}

/** The events of a list: all that is given holds for them. */
export interface EventFilter extends EventSubject {
  type?: EventType | undefined
  /** The API key that made the change. */
  keyId?: string | undefined
  /** The first time, and the first one that is too late. In milliseconds since 1970. */
  from?: number | undefined
  to?: number | undefined
}

/**
 * The events of a limited time. An event is written in the transaction of its change: both or neither. An order that
 * changes its animal leaves two: first the animal's, then its own. test/storage/events.test.ts and those beside it,
 * event-*.test.ts, define it for every engine.
 */
export interface Events {
  /**
   * At most `limit` events above `after`, or from the oldest stored one, in commit order. Complete: later commits have
   * higher ids. `lineage` is the lineage of `after`. With an animal or an order only the events about it, in time that
   * does not depend on the number of others; `missed` says the same as without. With any other filter a page looks
   * through a limited number of events: it may have fewer than `limit`, or none, and yet have a next page.
   */
  list(limit: number, after?: bigint, lineage?: string, filter?: EventFilter, caller?: Caller): Promise<EventPage>

  /** At most `limit` stored events below `before`, or from the latest, in descending order. `filter` as for `list`. */
  listBackwards: Events['list']

  /** The position of the latest event, even if it has expired; id 0 before the first. */
  latest(): Promise<Position>

  /**
   * Deletes events older than `before`, in the order of their ids, a limited number at a time; resolves to their
   * number. Stops at the first that is not old enough, so the stored events have no gaps. An event later than `now` has
   * a wrong time: it does not stop the deletion, and is deleted with the first old event after it. Events above the id
   * `upTo` are kept.
   */
  forget(before: number, now?: number, upTo?: bigint): Promise<number>
}
