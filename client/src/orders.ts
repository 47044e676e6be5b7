import {
  type Day,
  type ExportOrdersQuery,
  type Int64,
  type ListDaysQuery,
  type ListOrdersQuery,
  type NewOrder,
  operations,
  type Order,
  type OrderChange,
} from './contract.ts'
import type { WithEtag } from './etag.ts'
import { List } from './list.ts'
import type { CallOptions, ChangeOptions, CreateOptions, ListOptions } from './options.ts'
import { itemsOf, taggedResourceOf } from './response.ts'
import { exportFile } from './transfer.ts'
import type { Transport } from './transport.ts'

/** Orders for animals. */
export class Orders {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All matching orders, ascending by id unless `sort` says otherwise. `limit` is the page size. */
  list(query?: ListOrdersQuery, options?: ListOptions): List<Order> {
    return new List(this.#transport, operations.listOrders, query, options)
  }

  /** The bytes of a file with all matching orders: CSV, or NDJSON with `format`. Throws if it ends too early. */
  export(query?: ExportOrdersQuery, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined> {
    return exportFile(this.#transport, operations.exportOrders, query, options)
  }

  /** What happened on each day from `from` to `to`, in UTC: animals added and removed, orders. Default: the last 30. */
  async days(query?: ListDaysQuery, options?: CallOptions): Promise<Day[]> {
    return itemsOf<Day>(await this.#transport.send({ operation: operations.listDays, query }, options))
  }

  /** The order with this id, or `not_found`. */
  async get(id: Int64, options?: CallOptions): Promise<WithEtag<Order>> {
    return taggedResourceOf(await this.#transport.send({ operation: operations.getOrder, id }, options))
  }

  /** Orders an `available` animal, which becomes `pending`; otherwise `conflict`. Retries never order it twice. */
  async place(order: NewOrder, options?: CreateOptions): Promise<WithEtag<Order>> {
    const request = { operation: operations.placeOrder, body: order, isKeyed: true }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /**
   * Changes the given members; null removes `customer` or `note`. A `status` closes an open order, `conflict` if it is
   * not open. Resolves to the changed order. With `mayHaveSucceeded`, `conflict` or `precondition_failed` may be due to
   * the first attempt of this call.
   */
  async update(id: Int64, change: OrderChange, options?: ChangeOptions): Promise<WithEtag<Order>> {
    // An order is closed once.
    const isRefusedTwice = change.status !== undefined
    const request = { operation: operations.updateOrder, id, body: change, isRefusedTwice }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /** Completes an open order: its animal is `sold`. `conflict` if the order is not open. */
  complete(id: Int64, options?: ChangeOptions): Promise<WithEtag<Order>> {
    return this.update(id, { status: 'completed' }, options)
  }

  /** Cancels an open order: its animal is `available` again. `conflict` if the order is not open. */
  cancel(id: Int64, options?: ChangeOptions): Promise<WithEtag<Order>> {
    return this.update(id, { status: 'cancelled' }, options)
  }
}
