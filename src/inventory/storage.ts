import type { Categories } from './categories.ts'
import type { Events } from './events.ts'
import type { Imports } from './imports.ts'
import type { Keys } from './keys.ts'
import type { Orders } from './orders.ts'
import type { Pets } from './pets.ts'

/** One engine, open. test/storage/ holds the promises that every engine keeps. */
export interface Storage {
  readonly pets: Pets
  readonly orders: Orders
  readonly categories: Categories
  readonly events: Events
  readonly keys: Keys
  readonly imports: Imports

  /**
   * A number that is another one after every commit, by anyone, this process or not. What was read while the number
   * was the same is still true, so it may be kept. Cheap: it is asked for with every request. An engine that cannot tell
   * answers NaN, which is not even the same as itself: nothing may be kept.
   */
  version(): number

  /** Rejects when the engine could not serve a request now. */
  check(): Promise<void>

  /** Finishes what was begun and lets go of the engine. Later calls are rejected as `unavailable`. */
  close(): Promise<void>
}
