// The entry `@petstore/client/sandbox`: a pet store with what only a sandbox has. Web pages do not load it.

import { readParts } from './body-parts.ts'
import type { Category, Order, Pet } from './contract.ts'
import { encodeJson } from './json.ts'
import type { CallOptions, PetStoreOptions } from './options.ts'
import { PetStore } from './petstore.ts'
import { readOptions } from './read-options.ts'
import type { ApiRequest } from './request.ts'
import { foreignResponse, hasType, itemsOf, malformed, resourceOf } from './response.ts'
import {
  type AppliedFault,
  type BugName,
  type ClockChange,
  type FaultRule,
  type JournalEntry,
  type ListRequestsQuery,
  sandboxOperations as operations,
  type ShopClock,
} from './sandbox-contract.ts'
import { Transport } from './transport.ts'

export type { AppliedFault, BugName, ClockChange, FaultRule, JournalEntry, ListRequestsQuery, ShopClock }

/** A line of a seed, with the id that it shall have: an animal, or a category or an order, which have a `type`. */
export type SeedRecord =
  | (Pet & { type?: undefined })
  | (Category & { type: 'category' })
  | (Omit<Order, 'updatedAt'> & { type: 'order'; updatedAt?: string | undefined })

/** The name of a seed, or the shop itself, line by line. */
export type Seed = 'empty' | 'demo' | readonly SeedRecord[]

const ndjson = 'application/x-ndjson'

/** What only a sandbox has. It acts on the shop of the key, which must be one that opens it, or an admin key of it. */
export class Sandbox {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes the shop new: with the seed that the sandbox was started with, or this one. Ids start again, and the clock, the
   * faults and the journal too.
   */
  async reset(seed?: Seed, options?: CallOptions): Promise<void> {
    const operation = operations.resetShop
    if (seed === undefined) await this.#transport.send({ operation }, options)
    else if (typeof seed === 'string') await this.#transport.send({ operation, body: { seed } }, options)
    else await this.#sendLines({ operation }, seed.map((line) => `${encodeJson(line)}\n`).join(''), options)
  }

  /** The whole shop at one moment, as a text for `restore`. */
  async snapshot(options: CallOptions = {}): Promise<string> {
    const request = { operation: operations.getSnapshot, headers: { accept: ndjson } }
    const open = await this.#transport.open(request, options)
    if (!hasType(open.response, ndjson)) {
      open.deadline.clear()
      throw foreignResponse(open.progress)
    }
    const decoder = new TextDecoder()
    let text = ''
    for await (const part of readParts(open, options.timeoutMs ?? this.#transport.options.timeoutMs)) {
      text += decoder.decode(part, { stream: true })
    }
    return text
  }

  /** Replaces the shop by a snapshot, exactly: ids, counters, events, keys and the clock. */
  async restore(snapshot: string, options?: CallOptions): Promise<void> {
    await this.#sendLines({ operation: operations.putSnapshot }, snapshot, options)
  }

  /**
   * Sets the clock of the shop, or only reads it. With `advance` it is sent once: a second attempt could move the time
   * again.
   */
  async clock(
    change?: Omit<ClockChange, 'now'> & { now?: string | Date | undefined },
    options?: CallOptions,
  ): Promise<ShopClock> {
    if (!change) return resourceOf(await this.#transport.send({ operation: operations.getClock }, options))
    const once = change.advance !== undefined && { retry: { ...options?.retry, maxAttempts: 1 } }
    const request = { operation: operations.putClock, body: change }
    return resourceOf(await this.#transport.send(request, { ...options, ...once }))
  }

  /** Replaces the faults of the shop, or only lists them, with how often each was applied. */
  async faults(rules?: readonly FaultRule[], options?: CallOptions): Promise<AppliedFault[]> {
    const request = rules ? { operation: operations.putFaults, body: rules } : { operation: operations.listFaults }
    return itemsOf(await this.#transport.send(request, options))
  }

  /** Removes all faults. */
  async clearFaults(options?: CallOptions): Promise<void> {
    await this.#transport.send({ operation: operations.deleteFaults }, options)
  }

  /** Replaces the bugs of the shop, or only lists them. `forbidden` where they are hidden (`--mystery`). */
  async bugs(names?: readonly BugName[], options?: CallOptions): Promise<BugName[]> {
    const request = names ? { operation: operations.putBugs, body: names } : { operation: operations.listBugs }
    const response = await this.#transport.send(request, options)
    if (!Array.isArray(response.body)) throw malformed(response)
    return response.body as BugName[]
  }

  /** What clients sent to the shop, in order. Calls of this class are not in it. */
  async journal(query?: ListRequestsQuery, options?: CallOptions): Promise<JournalEntry[]> {
    return itemsOf(await this.#transport.send({ operation: operations.listRequests, query }, options))
  }

  /** Empties the journal. */
  async clearJournal(options?: CallOptions): Promise<void> {
    await this.#transport.send({ operation: operations.deleteRequests }, options)
  }

  async #sendLines(request: ApiRequest, lines: string, options: CallOptions | undefined): Promise<void> {
    const headers = { 'content-type': ndjson }
    await this.#transport.send({ ...request, headers, source: { open: async () => lines } }, options)
  }
}

/** The pet store of a sandbox (`petstore sandbox`). Its `apiKey`, `sandbox_NAME`, chooses the shop. */
export class SandboxPetStore extends PetStore {
  readonly sandbox: Sandbox

  constructor(options: PetStoreOptions) {
    super(options)
    this.sandbox = new Sandbox(new Transport(readOptions(options)))
  }
}
