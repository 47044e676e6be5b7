import type { Category } from '../contract/category.ts'
import type { Page } from './page.ts'

/** Where the names of categories are kept. test/storage/categories.test.ts defines it for every engine. */
export interface Categories {
  /** At most `limit` categories, ascending by id, with an id above `after` if that is given: ids may be negative. */
  list(limit: number, after?: bigint): Promise<Page<Category>>

  /** Resolves once the category is on disk, to whether there was none with this id before. */
  put(category: Category): Promise<{ isNew: boolean }>
}
