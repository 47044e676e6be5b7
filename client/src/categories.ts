import { type Category, type Int64, type ListCategoriesQuery, type NewCategory, operations } from './contract.ts'
import { etagHeader, type WithEtag } from './etag.ts'
import { List } from './list.ts'
import type { CallOptions, ChangeOptions, CreateOptions, ListOptions, PutOptions } from './options.ts'
import { randomId } from './random-id.ts'
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
  async create(
    category: NewCategory,
    { idempotencyKey = randomId(), ...options }: CreateOptions = {},
  ): Promise<WithEtag<Category>> {
    const headers = { 'idempotency-key': idempotencyKey }
    const request = { operation: operations.createCategory, headers, body: category }
    return taggedResourceOf(await this.#transport.send(request, options))
  }

  /** Sets the name of a category; with `ifNoneMatch: '*'` only if it has none. */
  async put(
    id: Int64,
    category: NewCategory,
    { ifMatch, ifNoneMatch, ...options }: PutOptions = {},
  ): Promise<WithEtag<Category>> {
    const headers = { 'if-match': etagHeader('ifMatch', ifMatch), 'if-none-match': ifNoneMatch }
    return taggedResourceOf(
      await this.#transport.send({ operation: operations.putCategory, id, headers, body: category }, options),
    )
  }

  /**
   * Removes a category; `conflict` if an animal has it, `not_found` if it has no name. With `ifMatch`, `not_found` with
   * `mayHaveSucceeded` may be due to the first attempt of this call.
   */
  async delete(id: Int64, { ifMatch, ...options }: ChangeOptions = {}): Promise<void> {
    const headers = { 'if-match': etagHeader('ifMatch', ifMatch) }
    await this.#transport.send({ operation: operations.deleteCategory, id, headers }, options)
  }
}
