import { linkTo } from './link.ts'
import type { CallOptions, Operation, Transport } from './transport.ts'

export interface Page<Item> {
  items: Item[]
  /** Goes on where this page ends: `list({ ...filter, cursor })`. Undefined on the last page. */
  cursor: string | undefined
}

/** A list that is read page by page while it is iterated over, and anew each time. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #transport: Transport
  readonly #operation: Operation
  readonly #query: object | undefined
  readonly #options: CallOptions

  constructor(transport: Transport, operation: Operation, query: object | undefined, options: CallOptions = {}) {
    this.#transport = transport
    this.#operation = operation
    this.#query = query
    this.#options = options
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** The same, a page at a time. A page has `limit` items, the last one maybe fewer. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let query: object | undefined = this.#query
    do {
      const request = { operation: this.#operation, query, repetition: 'repeatable' } as const
      const { headers, body } = await this.#transport.ask(request, this.#options)
      // Of the link only the query: the path is known, and the key is for nobody but whom the caller named, even where
      // the service, behind a proxy, knows itself by another address.
      const link = linkTo('next', headers)
      const next = link === undefined ? undefined : new URL(link, 'http://relative.invalid').searchParams
      yield { items: body as Item[], cursor: next?.get('cursor') ?? undefined }
      query = next
    } while (query !== undefined)
  }
}
