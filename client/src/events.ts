import { type Int64, type ListEventsQuery, operations, type ShopEvent } from './contract.ts'
import { CallError, ConnectionError, UnexpectedResponseError } from './errors.ts'
import { exactDigits, parseJson } from './json.ts'
import { List } from './list.ts'
import { mayTryAgain, pause, pauseBefore } from './retry.ts'
import { readFrames } from './server-sent-events.ts'
import type { CallOptions, OpenResponse, Transport } from './transport.ts'

/** Something that happened to an animal. */
export type PetEvent = Extract<ShopEvent, { type: `petstore.pet.${string}` }>

/** Something that happened to an order. */
export type OrderEvent = Extract<ShopEvent, { type: `petstore.order.${string}` }>

export interface FollowOptions extends CallOptions {
  /** The id of the last event that is known already; 0 for all that are kept. From now on unless given. */
  after?: Int64 | string | undefined
  /**
   * Milliseconds without a sign of life after which a connection counts as broken. The service gives one every 15 seconds.
   * 45,000 unless given.
   */
  maxSilenceMs?: number | undefined
}

/** What happens in the shop, in the order in which it happens. */
export class Events implements AsyncIterable<ShopEvent> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All that is kept, or all after an event, up to now. */
  list(query?: ListEventsQuery, options?: CallOptions): List<ShopEvent> {
    return new List(this.#transport, operations.listEvents, query, options)
  }

  /** What happens from now on. */
  [Symbol.asyncIterator](): AsyncGenerator<ShopEvent, never, undefined> {
    return this.follow()
  }

  /**
   * What happens, for as long as it is read. A connection that breaks is made anew and goes on behind the last event:
   * none is lost, none is repeated. The first one is made as any call is; after that it comes back however long it takes.
   * Throws `gone` when events were missed because they are not kept any more.
   */
  async *follow({
    after,
    maxSilenceMs = 45_000,
    ...options
  }: FollowOptions = {}): AsyncGenerator<ShopEvent, never, undefined> {
    let last = typeof after === 'string' || after === undefined ? after : exactDigits('after', after)
    let { baseDelayMs } = this.#transport.retry
    const { maxDelayMs } = this.#transport.retry
    let failures = 0
    let stream: OpenResponse | undefined = await this.#open(last, options)
    for (;;) {
      try {
        stream ??= await this.#open(last, options, { ...this.#transport.retry, maxAttempts: 1 })
        for await (const { id, data, retry } of readFrames(readerOf(stream, maxSilenceMs))) {
          baseDelayMs = retry ?? baseDelayMs
          // The greeting alone does not make a good connection: its `retry` tells it from what follows.
          if (retry === undefined) failures = 0
          // An empty stream has a place to go on from too: its greeting names it.
          last = id ?? last
          if (data !== undefined) yield parseJson(data) as ShopEvent
        }
        failures++
        await pause(pauseBefore(failures, undefined, { baseDelayMs, maxDelayMs }), options.signal)
      } catch (error) {
        options.signal?.throwIfAborted()
        if (!(error instanceof CallError && mayTryAgain(error, 'repeatable'))) throw error
        failures++
        await pause(pauseBefore(failures, error, { baseDelayMs, maxDelayMs }), options.signal)
      } finally {
        stream?.deadline.clear()
        stream = undefined
      }
    }
  }

  async #open(last: string | undefined, options: CallOptions, retry = this.#transport.retry): Promise<OpenResponse> {
    const open = await this.#transport.open(
      {
        operation: operations.listEvents,
        headers: { accept: 'text/event-stream', 'last-event-id': last },
        repetition: 'repeatable',
      },
      options,
      retry,
    )
    const { headers, status } = open.response
    if (headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      open.deadline.clear()
      throw new UnexpectedResponseError('The answer is no stream of events.', status, open.details)
    }
    return open
  }
}

/** Reads the body of an answer while it comes; a connection that fell silent or broke is a ConnectionError. */
function readerOf(
  { response, deadline, details }: OpenResponse,
  maxSilenceMs: number,
): () => Promise<Uint8Array | undefined> {
  const reader = response.body?.getReader()
  return async () => {
    // Time counts only while there is somebody waiting: a slow reader is no dead connection.
    deadline.start(maxSilenceMs)
    try {
      return (await reader?.read())?.value
    } catch (error) {
      throw new ConnectionError('The stream of events broke.', details, error)
    } finally {
      deadline.pause()
    }
  }
}
