import type { ShopEvent } from '../contract/event.ts'
import type { Position } from '../contract/position.ts'

export interface EventPage {
  items: ShopEvent[]
  /** Whether anything follows the last item. */
  more: boolean
  /**
   * Whether what follows `after` cannot be told: events that are not kept any more were among it, or the position is of a
   * history that was lost. Who asks has missed something.
   */
  missed: boolean
  /** What belongs to the last item's id, or to `after` where there is none, in a position: the newest history. */
  history?: string
}

/**
 * What happened, for a while. Each event is written in the transaction of the change that it tells of: both or neither.
 * An order that changes its animal leaves two: the animal's, then its own. test/storage/events.test.ts defines it for every engine.
 */
export interface Events {
  /**
   * At most `limit` events with an id above `after`, or from the oldest that is kept, in the order of the commits.
   * Complete: what is committed later has a higher id than all of these. `history` is the one that `after` was read in.
   */
  list(limit: number, after?: bigint, history?: string): Promise<EventPage>

  /** At most `limit` events with an id below `before`, or from the latest, the latest first, as far as they are kept. */
  listBackwards(limit: number, before?: bigint, history?: string): Promise<EventPage>

  /** The position of the latest event, kept or not; its id is 0 before the first. */
  latest(): Promise<Position>

  /**
   * Deletes events that are older than `before`, in the order of their ids, a bounded number at a time; resolves to how
   * many. It stops at the first that is not old enough, so what is kept has no gaps. An event later than `now` was dated
   * by a clock that was wrong: it does not stop the others, and goes with the first old event after it.
   */
  forget(before: number, now?: number): Promise<number>
}
