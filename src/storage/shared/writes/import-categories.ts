import type { Category } from '../../../contract/category.ts'
import type { CategoryMatch } from '../../../inventory/category-names.ts'
import { PetStoreError, unavailable } from '../../../inventory/errors.ts'
import type { NamedCategory } from '../../../inventory/imports.ts'
import { nextCategoryId } from '../../../inventory/rules/create-category.ts'

/** Why the categories of an import cannot be used. */
export type CategoryRefusal = 'changed' | 'exhausted'

export interface ImportCategories {
  /** The ids of those that were to be made, by their indexes. */
  newIds: Map<number, bigint>
  /** Those that are still missing. */
  made: Category[]
}

/**
 * Compares the categories of an import with what their names stand for now, inside its transaction, and gives ids to
 * those that are still missing. `highest` is the highest id in use, also by the pets of the import.
 */
export function settleCategories(
  categories: readonly NamedCategory[],
  matches: readonly CategoryMatch[],
  highest: bigint | undefined,
): ImportCategories | CategoryRefusal {
  const newIds = new Map<number, bigint>()
  const made: Category[] = []
  for (const [index, { name, id: found }] of categories.entries()) {
    const match = matches[index]
    if (match === undefined || match === 'ambiguous' || (found !== undefined && match !== found)) return 'changed'
    if (found !== undefined) continue
    const id = match === 'missing' ? nextCategoryId(made.at(-1)?.id ?? highest) : match
    if (id === undefined) return 'exhausted'
    if (match === 'missing') made.push({ id, name })
    newIds.set(index, id)
  }
  return { newIds, made }
}

export function categoryError(refusal: CategoryRefusal): PetStoreError {
  return refusal === 'changed'
    ? unavailable('A category that the file names was changed meanwhile; try again.')
    : new PetStoreError('conflict', 'No id is free for a new category: name one with PUT.')
}
