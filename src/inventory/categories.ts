import type { Category } from '../contract/category.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

export type CategoryPut =
  /** The category is new. */
  | { outcome: 'added' }
  /** The category existed. It has this name now, possibly the same as before. */
  | { outcome: 'renamed' }
  /** The precondition failed. Nothing was written. */
  | { outcome: 'unmet' }

/** The names of categories. test/storage/categories.test.ts defines it for every engine. */
export interface Categories {
  /** At most `limit` categories, ascending by id, above `after` if given: ids may be negative. */
  list(limit: number, after?: bigint): Promise<Page<Category>>

  /** Undefined if no category has this id. */
  find(id: bigint): Promise<Category | undefined>

  /**
   * Resolves when the category is on disk. The precondition is compared in the same transaction, with the tag of
   * `encodeCategory(category)`; a missing category has no tag.
   */
  put(category: Category, precondition?: Precondition): Promise<CategoryPut>
}
