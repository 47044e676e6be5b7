import type { Order, OrderStatus } from '../contract/order.ts'
import type { IdSort } from '../contract/parameters.ts'
import type { PetStatus } from '../contract/pet.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

export interface OrderFilter {
  status?: OrderStatus
  petId?: bigint
}

export interface OrderQuery extends OrderFilter {
  /** `id` unless given. */
  sort?: IdSort
}

export type Placement =
  | { outcome: 'placed'; order: Order }
  /** The idempotency key was used before: the order as it was then answered. */
  | { outcome: 'replayed'; order: Order }
  /** The idempotency key was used before, with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }
  /** No animal has this id. Nothing was written, and the idempotency key is not remembered. */
  | { outcome: 'missing' }
  /** The animal is not available but this. Nothing was written, and the idempotency key is not remembered. */
  | { outcome: 'taken'; status: PetStatus | undefined }

export type OrderUpdate =
  | { outcome: 'updated'; order: Order }
  | { outcome: 'missing' }
  /** The precondition does not hold. Nothing was written. */
  | { outcome: 'unmet' }
  /** The order is not open any more. Nothing was written. */
  | { outcome: 'closed'; order: Order }

/** Where orders are kept. test/storage/orders.test.ts defines it for every engine. */
export interface Orders {
  /**
   * At most `limit` orders that follow the id `after`, 0 for the first, in the order of `sort`, all of them within the filter.
   * `history` is the one that `after` was read in; where that was lost, it rejects as `gone`.
   */
  list(query: OrderQuery, limit: number, after: bigint, history?: string): Promise<Page<Order>>

  /** Resolves to undefined when no order has this id. */
  find(id: bigint): Promise<Order | undefined>

  /**
   * Resolves once the order is on disk: it is open (`placed`), and its animal, which was `available`, is `pending` by
   * the same transaction. However many ask for one animal at the same time, wherever: one of them gets it.
   * Ids and idempotency keys as with `Pets.create`; ids of orders are counted on their own.
   */
  place(petId: bigint, idempotencyKey?: IdempotencyKey): Promise<Placement>

  /**
   * Closes an open order, and with it its animal: `completed` makes that `sold`, `cancelled` makes it `available`. The
   * precondition is compared in the same transaction, with the tag of `encodeOrder(order)`.
   */
  close(id: bigint, status: Exclude<OrderStatus, 'placed'>, precondition?: Precondition): Promise<OrderUpdate>
}
