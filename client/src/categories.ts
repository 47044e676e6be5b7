import { type Category, type Int64, type ListCategoriesQuery, type NewCategory, operations } from './contract.ts'
import { ifMatchHeader, type WithEtag } from './etag.ts'
import { List } from './list.ts'
import type { CallOptions, PutOptions } from './options.ts'
import { resourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** The names of categories. */
export class Categories {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All categories that have a name, ascending by id. `limit` is the page size. */
  list(query?: ListCategoriesQuery, options?: CallOptions): List<Category> {
    return new List(this.#transport, operations.listCategories, query, options)
  }

  /** The category with this id; `not_found` if it has no name. */
  async get(id: Int64, options?: CallOptions): Promise<WithEtag<Category>> {
    return resourceOf(await this.#transport.send({ operation: operations.getCategory, id }, options))
  }

  /** Sets the name of a category; with `ifNoneMatch: '*'` only if it has none. */
  async put(
    id: Int64,
    category: NewCategory,
    { ifMatch, ifNoneMatch, ...options }: PutOptions<Category> = {},
  ): Promise<WithEtag<Category>> {
    const headers = { 'if-match': ifMatchHeader(ifMatch), 'if-none-match': ifNoneMatch }
    return resourceOf(
      await this.#transport.send({ operation: operations.putCategory, id, headers, body: category }, options),
    )
  }
}
