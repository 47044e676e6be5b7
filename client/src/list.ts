import { abortable } from './abortable.ts'
import type { Operation } from './contract.ts'
import { findLink } from './link.ts'
import type { ListOptions } from './options.ts'
import { searchParamsOf } from './request.ts'
import { type ApiResponse, itemsOf, malformed } from './response.ts'
import type { Transport } from './transport.ts'

export interface Page<Item> {
  items: Item[]
  /**
   * Continues the list after this page: `list({ ...filter, cursor })`, and a list of events `list({ after: cursor })`.
   * Undefined on the last page.
   */
  cursor: string | undefined
  /** How many items all pages have together: on the first page, if it was asked for with `count: true`. */
  total?: number
}

/** A list that fetches its pages while it is iterated over, and anew each time. */
export class List<Item extends object> implements AsyncIterable<Item> {
  readonly #transport: Transport
  readonly #operation: Operation
  readonly #query: object | undefined
  readonly #options: ListOptions

  /** @internal */
  constructor(transport: Transport, operation: Operation, query: object | undefined, options: ListOptions = {}) {
    this.#transport = transport
    this.#operation = operation
    this.#query = query
    this.#options = options
  }

  /** Every item. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return abortable(this.#options.signal, (signal) => this.#readItems(signal))
  }

  /** The same items a page at a time: `{ items, cursor }`. A page has `limit` items, the last one maybe fewer. */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return abortable(this.#options.signal, (signal) => this.#readPages(signal))
  }

  /** The first page alone. */
  async page(): Promise<Page<Item>> {
    const { value } = await this.pages().next()
    return value as Page<Item>
  }

  async *#readItems(signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.#readPages(signal)) yield* items
  }

  async *#readPages(signal: AbortSignal): AsyncGenerator<Page<Item>, void, undefined> {
    const { count, ...options } = this.#options
    let headers = count === true ? { prefer: 'count=exact' } : {}
    let query: URLSearchParams | undefined = searchParamsOf(this.#query)
    do {
      const request = { operation: this.#operation, query, headers }
      const response = await this.#transport.send(request, { ...options, signal })
      const next = nextPageOf(response)
      if (next !== undefined && String(next) === String(query)) throw malformed(response, 'leads to itself')
      const cursor = next?.get('cursor') ?? next?.get('after') ?? undefined
      yield { items: itemsOf<Item>(response), cursor, ...totalOf(response) }
      query = next
      headers = {}
    } while (query !== undefined)
  }
}

/** Only if the service counted. */
function totalOf({ headers }: ApiResponse): Pick<Page<object>, 'total'> {
  const total = headers.get('x-total-count') ?? ''
  return /^[0-9]{1,15}$/.test(total) ? { total: Number(total) } : {}
}

/**
 * The query of the next page, and nothing else of the link: a service behind a proxy may know itself by another address,
 * and the API key must not go there.
 */
function nextPageOf(response: ApiResponse): URLSearchParams | undefined {
  try {
    const link = findLink('next', response.headers)
    return link === undefined ? undefined : new URL(link, 'http://relative.invalid').searchParams
  } catch {
    throw malformed(response, 'has a Link header that cannot be read')
  }
}
