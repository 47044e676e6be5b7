import type { ShopEvent } from '../contract/event.ts'

export interface EventPage {
  items: ShopEvent[]
  /** Whether anything follows the last item. */
  more: boolean
  /** Whether there were events after `after` that are not kept any more: who asks has missed some. */
  missed: boolean
}

/**
 * What happened, for a while. Each event is written in the transaction of the change that it tells of: both or neither.
 * An order that changes its animal leaves two: the animal's, then its own. test/storage/events.test.ts defines it for every engine.
 */
export interface Events {
  /**
   * At most `limit` events with an id above `after`, or from the oldest that is kept, in the order of the commits.
   * Complete: what is committed later has a higher id than all of these.
   */
  list(limit: number, after?: bigint): Promise<EventPage>

  /** The id of the latest event, kept or not; 0 before the first. */
  latest(): Promise<bigint>

  /**
   * Deletes events that are older than `before`, in the order of their ids, a bounded number at a time; resolves to how
   * many. It stops at the first that is not old enough, so what is kept has no gaps. An event later than `now` was dated
   * by a clock that was wrong: it does not stop the others, and goes with the first old event after it.
   */
  forget(before: number, now?: number): Promise<number>
}
