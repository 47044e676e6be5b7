import { abortable } from './abortable.ts'
import type { Operation } from './contract.ts'
import { findLink } from './link.ts'
import type { ListOptions } from './options.ts'
import { rememberPositions } from './position.ts'
import { rememberResponse } from './response-details.ts'
import { searchParamsOf } from './request.ts'
import { type ApiResponse, itemsOf, malformed, totalOf } from './response.ts'
import type { Transport } from './transport.ts'

export interface Page<Item> {
  items: Item[]
  /**
   * Pass it to continue after this page: `list({ ...filter, cursor })`, or `list({ after: cursor })` for events.
   * Undefined on the last page.
   */
  cursor: string | undefined
  /**
   * Of events: pass it as `after` to continue later, also after the last page. If its history was lost meanwhile, for
   * example by a restored backup, the call throws `gone`.
   */
  position?: string
  /** How many items all pages have together: on the first page, if it was asked for with `count: true`. */
  total?: number
}

/** A list that fetches its pages during iteration. Each iteration starts again. */
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

  /** All items. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return abortable(this.#options.signal, (signal) => this.#readItems(signal))
  }

  /**
   * The items page by page: `{ items, cursor }`. A page has `limit` items; the last one may have fewer. So may one of a
   * search, or none, though others follow.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return abortable(this.#options.signal, (signal) => this.#readPages(signal))
  }

  /** The first page alone. That of a search may be short, or empty, though others follow: see its `cursor`. */
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
      const total = totalOf(response)
      const items = itemsOf<Item>(response)
      const position = response.response.headers.get('event-position') ?? undefined
      if (position !== undefined) rememberPositions(items, position)
      const page = { items, cursor, ...(position !== undefined && { position }), ...(total !== undefined && { total }) }
      yield rememberResponse(page, response.response)
      query = next
      headers = {}
    } while (query !== undefined)
  }
}

/**
 * Takes only the query of the link: a service behind a proxy may know itself by another address, and the API key must
 * not go there.
 */
function nextPageOf(response: ApiResponse): URLSearchParams | undefined {
  try {
    const link = findLink('next', response.response.headers)
    return link === undefined ? undefined : new URL(link, 'http://relative.invalid').searchParams
  } catch {
    throw malformed(response, 'has a Link header that cannot be read')
  }
}
