import { abortable } from './abortable.ts'
import type { Int64, Operation } from './contract.ts'
import { addEtag, type EtagSource } from './etag.ts'
import { findLink } from './link.ts'
import type { ListOptions, SendOptions } from './options.ts'
import { searchParamsOf } from './request.ts'
import { rememberResponse } from './response-details.ts'
import { type ApiResponse, itemsOf, malformed, totalOf } from './response.ts'
import type { Transport } from './transport.ts'

/** To parse a relative link. */
const anyBase = 'http://relative.invalid'

export interface Page<Item> {
  items: Item[]
  /**
   * Pass it to continue after this page: `list({ ...filter, cursor })`, or `list({ after: cursor })` for events.
   * Undefined on the last page.
   */
  cursor: string | undefined
  /** For `ifNoneMatch`. */
  etag?: string
  /**
   * Of events: pass it as `after` to continue later, also after the last page. If its history was lost meanwhile, for
   * example by a restored backup, the call throws `gone`.
   */
  position?: string
  /** How many items all pages have together: on the first page, if it was asked for with `count: true`. */
  total?: number
}

/** The first page of a list of animals that was asked for with `count: true`. */
export interface CountedPage<Item> extends Page<Item> {
  total: number
}

/** @internal `mustCount`: a first page without its total is an error. */
type ReadOptions = ListOptions & SendOptions & { mustCount?: boolean | undefined }

/** A list that fetches its pages during iteration. Each iteration starts again. */
export class List<Item extends object, FirstPage extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #transport: Transport
  readonly #operation: Operation
  readonly #query: object | undefined
  readonly #options: ReadOptions
  readonly #id: Int64 | undefined

  /** @internal */
  constructor(
    transport: Transport,
    operation: Operation,
    query: object | undefined,
    options: ReadOptions = {},
    id?: Int64,
  ) {
    this.#transport = transport
    this.#operation = operation
    this.#query = query
    this.#options = options
    this.#id = id
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
  async page(): Promise<FirstPage>
  /** The first page; undefined if it is still the same as the page, or the ETag, that is given. */
  async page(options: { ifNoneMatch: EtagSource | undefined }): Promise<FirstPage | undefined>
  async page({ ifNoneMatch }: { ifNoneMatch?: EtagSource | undefined } = {}): Promise<FirstPage | undefined> {
    for await (const page of this.#with({ prefetch: false, ifNoneMatch }).pages()) return page as FirstPage
    return undefined
  }

  /** All items, or the first `limit`. */
  async toArray({ limit = Infinity }: { limit?: number } = {}): Promise<Item[]> {
    const items: Item[] = []
    if (limit > 0) {
      for await (const item of this) if (items.push(item) >= limit) break
    }
    return items
  }

  /** The first item; undefined if there is none. */
  async first(): Promise<Item | undefined> {
    for await (const item of this.#with({ prefetch: false }, { limit: 1 })) return item
    return undefined
  }

  #with(options: ListOptions & SendOptions, query?: object): List<Item> {
    const changed = { ...this.#options, ...options }
    return new List(this.#transport, this.#operation, { ...this.#query, ...query }, changed, this.#id)
  }

  async *#readItems(signal: AbortSignal): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.#readPages(signal)) yield* items
  }

  async *#readPages(signal: AbortSignal): AsyncGenerator<Page<Item>, void, undefined> {
    const { count, mustCount, prefetch, ...options } = this.#options
    const fetchPage = (query: URLSearchParams, headers = {}): Promise<ApiResponse> => {
      const request = { operation: this.#operation, id: this.#id, query, headers }
      const response = this.#transport.send(request, { ...options, signal })
      // Of a page that is fetched in advance and never used.
      response.catch(() => undefined)
      return response
    }
    const first = searchParamsOf(this.#query)
    let fetched: Promise<ApiResponse> | undefined
    fetched = fetchPage(first, { prefer: count ? 'count=exact' : undefined })
    // A cycle of links is found by a page that is remembered, ever further ahead (Brent's algorithm).
    let remembered = String(first)
    for (let pages = 1, rememberAt = 1; fetched; pages++) {
      const response: ApiResponse = await fetched
      if (response.response.status === 304) return
      if (mustCount && pages === 1 && totalOf(response) === undefined) throw malformed(response, 'has no count')
      const next = nextPageOf(response)
      if (String(next) === remembered) throw malformed(response, 'leads back to an earlier page')
      if (pages === rememberAt) {
        remembered = String(next)
        rememberAt *= 2
      }
      fetched = prefetch ? next && fetchPage(next) : undefined
      yield pageOf<Item>(response, next)
      fetched ??= next && fetchPage(next)
    }
  }
}

function pageOf<Item extends object>(response: ApiResponse, next: URLSearchParams | undefined): Page<Item> {
  const { headers } = response.response
  const page: Page<Item> = {
    items: itemsOf<Item>(response),
    cursor: next?.get('cursor') ?? next?.get('after') ?? undefined,
  }
  const total = totalOf(response)
  if (total !== undefined) page.total = total
  const position = headers.get('event-position')
  if (position !== null) page.position = position
  return rememberResponse(addEtag(page, headers), response.response)
}

/**
 * Takes only the query of the link: a service behind a proxy may know itself by another address, and the API key must
 * not go there.
 */
function nextPageOf(response: ApiResponse): URLSearchParams | undefined {
  const link = findLink('next', response.response.headers)
  if (link === undefined) return undefined
  if (link === null || !URL.canParse(link, anyBase)) throw malformed(response, 'has a Link that cannot be read')
  return new URL(link, anyBase).searchParams
}
