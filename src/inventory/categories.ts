import type { Category } from '../contract/category.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

export type CategoryPut =
  /** There was no category with this id. */
  | { outcome: 'added' }
  /** There was one, and it has this name now, be it the one that it had. */
  | { outcome: 'renamed' }
  /** The precondition does not hold. Nothing was written. */
  | { outcome: 'unmet' }

/** Where the names of categories are kept. test/storage/categories.test.ts defines it for every engine. */
export interface Categories {
  /** At most `limit` categories, ascending by id, with an id above `after` if that is given: ids may be negative. */
  list(limit: number, after?: bigint): Promise<Page<Category>>

  /** Resolves to undefined when no category has this id. */
  find(id: bigint): Promise<Category | undefined>

  /**
   * Resolves once the category is on disk. The precondition is compared in the same transaction, with the tag of
   * `encodeCategory(category)`; a category that does not exist has none.
   */
  put(category: Category, precondition?: Precondition): Promise<CategoryPut>
}
