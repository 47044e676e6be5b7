import type { Caller } from './caller.ts'
import type { Categories } from './categories.ts'
import type { Days } from './days.ts'
import type { Deliveries } from './deliveries.ts'
import type { Events } from './events.ts'
import type { Imports } from './imports.ts'
import type { Invitations } from './invitations.ts'
import type { Keys } from './keys.ts'
import type { Orders } from './orders.ts'
import type { Pets } from './pets.ts'
import type { StorageSize, StorageStats } from './storage-stats.ts'
import type { Webhooks } from './webhooks.ts'

/** One committed state of the shop. */
export interface ShopState {
  readonly pets: Pick<Pets, 'list' | 'inventoryOf'>
  readonly categories: Pick<Categories, 'list'>
}

/** An open engine. test/storage/ tests its promises for every engine. */
export interface Storage {
  readonly pets: Pets
  readonly orders: Orders
  readonly categories: Categories
  readonly events: Events
  readonly days: Days
  readonly keys: Keys
  readonly invitations: Invitations
  readonly imports: Imports
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries

  /**
   * Lets `read` read one committed state several times, for a response that needs several reads: nothing that others
   * write meanwhile is seen. For a short time: writes may have to wait for it. `read` may be called again. It gets a
   * caller for its own reads, who does not wait for memory while the state is held.
   */
  atOneState<Result>(
    read: (state: ShopState, caller: Caller | undefined) => Promise<Result>,
    caller?: Caller,
  ): Promise<Result>

  /**
   * A number that changes with every commit of any process, except for those of `deliveries`. While it stays the same,
   * everything else that was read is still true and may be cached. It must be cheap: every request asks for it. An
   * engine without versions returns NaN, which never equals itself, so nothing is cached.
   */
  version(): number

  /** Rejects if the engine cannot serve requests now. */
  check(): Promise<void>

  /**
   * Deletes the responses of idempotency keys that are too old to be replayed, a limited number at a time; resolves to
   * their number. They contain what clients sent, also the customers and notes of orders.
   */
  deleteExpiredResponses(): Promise<number>

  /** What this process does with the engine. Reads no files and asks no server. */
  stats(): StorageStats

  size(): Promise<StorageSize>

  /** Finishes pending work and closes the engine. Later calls are rejected as `unavailable`. */
  close(): Promise<void>
}
