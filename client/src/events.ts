import { abortable } from './abortable.ts'
import { type Int64, type ListEventsQuery, operations, type ShopEvent } from './contract.ts'
import { followEvents } from './follow.ts'
import { List } from './list.ts'
import type { FollowOptions, ListOptions } from './options.ts'
import type { Transport } from './transport.ts'

/** An event of an animal. */
export type PetEvent = Extract<ShopEvent, { type: `petstore.pet.${string}` }>

/** An event of an order. */
export type OrderEvent = Extract<ShopEvent, { type: `petstore.order.${string}` }>

export interface EventsQuery extends Omit<ListEventsQuery, 'after' | 'from' | 'to'> {
  /** Only events after the one with this `id`, or after a page with this `cursor` or `position`; 0 for all. */
  after?: Int64 | string | undefined
  /** Only events of this time or later. */
  from?: string | Date | undefined
  /** Only events before this time. */
  to?: string | Date | undefined
}

/** The events of the shop, in commit order. */
export class Events implements AsyncIterable<ShopEvent> {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All stored events up to now, or those after one of them. */
  list(query?: EventsQuery, options?: ListOptions): List<ShopEvent> {
    return new List(this.#transport, operations.listEvents, query, options)
  }

  /** Events from now on. */
  [Symbol.asyncIterator](): AsyncGenerator<ShopEvent, void, undefined> {
    return this.follow()
  }

  /**
   * Events, until the loop ends. The first connection is tried for `totalTimeoutMs`. After that the client reconnects
   * after every broken connection, however long it takes, and continues after the last event: no event is lost or
   * repeated.
   * Throws if the service itself refuses: `gone` if the next events have expired or the history of the last one was
   * lost. Then read the lists again.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<ShopEvent, void, undefined> {
    return abortable(options.signal, (signal) => followEvents(this.#transport, { ...options, signal }))
  }
}
