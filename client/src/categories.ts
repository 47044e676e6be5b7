import { type Category, type Int64, type ListCategoriesQuery, type NewCategory, operations } from './contract.ts'
import type { WithEtag } from './etag.ts'
import { List } from './list.ts'
import type { CallOptions, ChangeOptions, CreateOptions, ListOptions, PutOptions } from './options.ts'
import { taggedResourceOf } from './response.ts'
import type { Transport } from './transport.ts'

/** The names of categories. */
export class Categories {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All categories that have a name, ascending by id. `limit` is the page size. */
  list(query?: ListCategoriesQuery, options?: ListOptions): List<Category> {
    return new List(this.#transport, operations.listCategories, query, options)
  }

  /** The category with this id; `not_found` if it has no name. */
  async get(id: Int64, options?: CallOptions): Promise<WithEtag<Category>> {
    return taggedResourceOf(await this.#transport.send({ operation: operations.getCategory, id }, options))
  }

  /** Adds a category. The service assigns its id. Retries never add it twice. */
  async create(category: NewCategory, options?: CreateOptions): Promise<WithEtag<Category>> {
    const request = { operation: operations.createCategory, body: category, isKeyed: true }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /** Sets the name of a category; with `ifNoneMatch: '*'` only if it has none. */
  async put(id: Int64, category: NewCategory, options?: PutOptions): Promise<WithEtag<Category>> {
    const request = { operation: operations.putCategory, id, body: category }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /**
   * Removes a category; `conflict` if an animal has it, `not_found` if it has no name. With `ifMatch`, `not_found` with
   * `mayHaveSucceeded` may be due to the first attempt of this call.
   */
  async delete(id: Int64, options?: ChangeOptions): Promise<void> {
    await this.#transport.send({ operation: operations.deleteCategory, id }, options)
  }
}
