import { abortable } from './abortable.ts'
import { type Int64, type ListEventsQuery, operations, type ShopEvent } from './contract.ts'
import { followEvents } from './follow.ts'
import { List } from './list.ts'
import type { CallOptions, FollowOptions } from './options.ts'
import type { Transport } from './transport.ts'

/** Something that happened to an animal. */
export type PetEvent = Extract<ShopEvent, { type: `petstore.pet.${string}` }>

/** Something that happened to an order. */
export type OrderEvent = Extract<ShopEvent, { type: `petstore.order.${string}` }>

export interface EventsQuery extends Omit<ListEventsQuery, 'after'> {
  /** Only events after the one with this id, or after a page with this cursor; 0 for all. */
  after?: Int64 | string | undefined
}

/** What happens in the shop, in the order in which it happens. */
export class Events implements AsyncIterable<ShopEvent> {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All events that are kept, or all after one of them, up to now. */
  list(query?: EventsQuery, options?: CallOptions): List<ShopEvent> {
    return new List(this.#transport, operations.listEvents, query, options)
  }

  /** What happens from now on. */
  [Symbol.asyncIterator](): AsyncGenerator<ShopEvent, void, undefined> {
    return this.follow()
  }

  /**
   * What happens, for as long as it is read. The first connection is made as any call is. After that it comes back from
   * every broken connection, however long it takes, and continues after the last event: none is lost, none is repeated.
   * It ends when the service itself refuses it: with `gone` when the events after the last one are not kept any more, or
   * when that one belongs to a history that was lost. Then read the lists anew.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<ShopEvent, void, undefined> {
    return abortable(options.signal, (signal) => followEvents(this.#transport, { ...options, signal }))
  }
}
