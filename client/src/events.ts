import { abortable } from './abortable.ts'
import { type ListEventsQuery, operations, type ShopEvent } from './contract.ts'
import { followEvents } from './follow.ts'
import { List } from './list.ts'
import type { CallOptions, FollowOptions } from './options.ts'
import type { Transport } from './transport.ts'

/** What happens in the shop, in the order in which it happens. */
export class Events implements AsyncIterable<ShopEvent> {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All events that are kept, or all after one of them, up to now. */
  list(query?: ListEventsQuery, options?: CallOptions): List<ShopEvent> {
    return new List(this.#transport, operations.listEvents, query, options)
  }

  /** What happens from now on. */
  [Symbol.asyncIterator](): AsyncGenerator<ShopEvent, void, undefined> {
    return this.follow()
  }

  /**
   * What happens, for as long as it is read. The first connection is made as any call is. After that it comes back from
   * every broken connection, however long it takes, and continues after the last event: none is lost, none is repeated.
   * It ends when the service itself refuses it: with `gone` when events after the last one are not kept any more, or belong
   * to a history that was lost. Then read the lists anew.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<ShopEvent, void, undefined> {
    return abortable(options.signal, (signal) => followEvents(this.#transport, { ...options, signal }))
  }
}
