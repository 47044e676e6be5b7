import { type Category, type Int64, type ListCategoriesQuery, type NewCategory, operations } from './contract.ts'
import { List } from './list.ts'
import type { CallOptions, Transport } from './transport.ts'

/** What kinds of animals are called. */
export class Categories {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All categories that have a name, ascending by id. `limit` is the size of the pages that they are fetched in. */
  list(query?: ListCategoriesQuery, options?: CallOptions): List<Category> {
    return new List(this.#transport, operations.listCategories, query, options)
  }

  /** The category with this id, or `not_found` when none with this id has a name. */
  async get(id: Int64, options?: CallOptions): Promise<Category> {
    const { body } = await this.#transport.ask(
      { operation: operations.getCategory, id, repetition: 'repeatable' },
      options,
    )
    return body as Category
  }

  /** Gives a category its name, or another one. */
  async put(id: Int64, category: NewCategory, options?: CallOptions): Promise<Category> {
    const { body } = await this.#transport.ask(
      { operation: operations.putCategory, id, body: category, repetition: 'repeatable' },
      options,
    )
    return body as Category
  }
}
