import type { Category, NewCategory } from '../contract/category.ts'
import type { Caller } from './caller.ts'
import type { IdempotencyKey } from './idempotency-key.ts'
import type { Page } from './page.ts'
import type { Precondition } from './precondition.ts'

export type CategoryPut =
  /** The category is new. */
  | { outcome: 'added' }
  /** The category existed. It has this name now, possibly the same as before. */
  | { outcome: 'renamed' }
  /** The precondition failed. Nothing was written. */
  | { outcome: 'unmet' }

export type CategoryCreation =
  | { outcome: 'created'; category: Category }
  /** The idempotency key was used before: the category of the first response. */
  | { outcome: 'replayed'; category: Category }
  /** The idempotency key was used with another fingerprint. Nothing was written. */
  | { outcome: 'mismatch' }
  /** There is no free id. Nothing was written, and the idempotency key is not remembered. */
  | { outcome: 'exhausted' }

export type CategoryRemoval =
  | { outcome: 'removed' }
  /** The category has no name. */
  | { outcome: 'missing' }
  /** The precondition failed. Nothing was written. */
  | { outcome: 'unmet' }
  /** A pet has this category. Nothing was written. */
  | { outcome: 'used' }

/** The names of categories. test/storage/categories.test.ts defines it for every engine. */
export interface Categories {
  /**
   * At most `limit` categories, ascending by id, above `after` if given: ids may be negative. With `name`, those whose
   * name has its words (name-words.ts): such a page has a bounded cost, as for `Pets.list`.
   */
  list(limit: number, after?: bigint, name?: string, caller?: Caller): Promise<Page<Category>>

  /** Undefined if no category has this id. */
  find(id: bigint): Promise<Category | undefined>

  /**
   * Resolves when the category is on disk. The precondition is compared in the same transaction, with the tag of
   * `encodeCategory(category)`; a missing category has no tag.
   */
  put(category: Category, precondition?: Precondition): Promise<CategoryPut>

  /**
   * Resolves when the category is on disk, with a free id: from 1 to `maxNewCategoryId`, and above every id in that
   * range that a category with a name or a pet has. Idempotency keys as for `Pets.create`.
   */
  create(category: NewCategory, idempotencyKey?: IdempotencyKey): Promise<CategoryCreation>

  /**
   * Removes the name of a category that no pet has. Its id is free again. The precondition is compared in the same
   * transaction, as by `put`.
   */
  remove(id: bigint, precondition?: Precondition): Promise<CategoryRemoval>
}
