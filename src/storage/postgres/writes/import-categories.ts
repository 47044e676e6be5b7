import type { NamedCategory } from '../../../inventory/imports.ts'
import { maxNewCategoryId } from '../../../inventory/rules/create-category.ts'
import { toStoredRow } from '../../shared/rows/resource-rows.ts'
import { type CategoryRefusal, type ImportCategories, settleCategories } from '../../shared/writes/import-categories.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { categoryMatches, nameKeys, toMatches } from '../reads/category-names.ts'
import { put } from '../rules/change-statements.ts'

const highestCategory: Statement = {
  text: `
    SELECT greatest(
      (SELECT max(id) FROM categories WHERE id <= $1::int8),
      (SELECT max(category_id) FROM pets WHERE category_id <= $1),
      (SELECT max(category_id) FROM staged_pets WHERE category_id <= $1 AND new_category IS NULL))`,
}
const setNewIds: Statement = {
  text: `
    UPDATE staged_pets SET category_id = new.id FROM unnest($1::int4[], $2::int8[]) AS new (nth, id)
      WHERE new_category = new.nth`,
}

/** Decides about the categories of staged pets inside their transaction, and changes nothing. */
export async function settleImportCategories(
  run: Session['run'],
  categories: readonly NamedCategory[],
): Promise<ImportCategories | CategoryRefusal> {
  if (categories.length === 0) return { newIds: new Map(), made: [] }
  const matches = toMatches(await run(categoryMatches, await nameKeys(categories.map(({ name }) => name))))
  const isAnyNew = categories.some(({ id }) => id === undefined)
  const [highest] = isAnyNew ? ((await run(highestCategory, [maxNewCategoryId])).rows[0] as [bigint | null]) : []
  return settleCategories(categories, matches, highest ?? undefined)
}

/** Makes the categories that are missing, and gives the staged pets the ids of new ones. */
export async function storeImportCategories(run: Session['run'], { newIds, made }: ImportCategories): Promise<void> {
  if (newIds.size === 0) return
  const rows = made.map((category) => toStoredRow('categories', category))
  if (rows.length > 0)
    await run(
      put.categories,
      [0, 1, 2].map((column) => rows.map((row) => row[column])),
    )
  await run(setNewIds, [[...newIds.keys()], [...newIds.values()]])
}
