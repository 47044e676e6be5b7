import type { NewOrder, Order, OrderChange, OrderStatus } from '../contract/order.ts'
import type { IdSort } from '../contract/parameters.ts'
import type { PetStatus } from '../contract/pet.ts'
import type { Caller } from './caller.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

export interface OrderFilter {
  petId?: bigint
  status?: OrderStatus
  /** Words of the customer (name-words.ts). */
  customer?: string
  /** Words of the name of the animal, as it is now. */
  petName?: string
}

export interface OrderQuery extends OrderFilter {
  /** Default `id`. */
  sort?: IdSort
}

export type Placement =
  | { outcome: 'placed'; order: Order }
  /** The idempotency key was used before: the order of the first response. */
  | { outcome: 'replayed'; order: Order }
  /** The idempotency key was used with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }
  /** No animal has this id. Nothing was written, and the idempotency key is not remembered. */
  | { outcome: 'missing' }
  /**
   * The animal has this status instead of `available`. Nothing was written, and the idempotency key is not remembered.
   */
  | { outcome: 'taken'; status: PetStatus | undefined }

export type OrderUpdate =
  | { outcome: 'updated'; order: Order }
  | { outcome: 'missing' }
  /** The precondition failed. Nothing was written. */
  | { outcome: 'unmet' }
  /** The order is already closed, so its status cannot change. Nothing was written. */
  | { outcome: 'closed'; order: Order }

/**
 * The orders. A change of a status leaves events with its author, as for pets. test/storage/orders.test.ts defines
 * it for every engine.
 */
export interface Orders {
  /**
   * At most `limit` matching orders after the id `after`, 0 for the first, in the order of `sort`. With `customer` or
   * `petName` it looks through at most `maxOrdersSearched` orders of the other filters: the page may have fewer items than
   * `limit`, or none, and `next` says where it ended. Searches of several callers take turns; that of a caller who has
   * left ends.
   */
  list(query: OrderQuery, limit: number, after: bigint, caller?: Caller): Promise<Page<Order>>

  /** Undefined if no order has this id. */
  find(id: bigint): Promise<Order | undefined>

  /**
   * Resolves when the order is on disk: it is open (`placed`), and its animal, which was `available`, is `pending` by
   * the same transaction. If several clients order one animal at once, on any instance, exactly one succeeds. Ids and
   * idempotency keys as for `Pets.create`; orders have their own ids.
   */
  place(order: NewOrder, idempotencyKey?: IdempotencyKey, author?: string): Promise<Placement>

  /**
   * Changes the given members. A status closes an open order: `completed` makes its animal `sold`, `cancelled` makes it
   * `available`. A `customer` or `note` of null is removed; both may change whether the order is open or closed, and
   * neither makes an event. The precondition is compared in the same transaction, with the tag of `encodeOrder(order)`.
   */
  update(id: bigint, change: OrderChange, precondition?: Precondition, author?: string): Promise<OrderUpdate>
}
