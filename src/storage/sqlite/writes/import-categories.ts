import type { DatabaseSync } from 'node:sqlite'
import type { NamedCategory } from '../../../inventory/imports.ts'
import { maxNewCategoryId } from '../../../inventory/rules/create-category.ts'
import { resourceRows, toStoredRow } from '../../shared/rows/resource-rows.ts'
import { type CategoryRefusal, type ImportCategories, settleCategories } from '../../shared/writes/import-categories.ts'
import { prepareOneRow } from '../connection/database.ts'
import { prepareCategoryMatch } from '../reads/category-names.ts'

/** The categories of the pets in a table, which has a column `new_category`. */
export function importCategories(db: DatabaseSync) {
  const matchOf = prepareCategoryMatch(db)
  const { storedColumns } = resourceRows.categories
  const insert = db.prepare(`INSERT INTO categories (${storedColumns}) VALUES (${storedColumns.replace(/\w+/g, '?')})`)

  function highestId(table: string): bigint | undefined {
    const highest = prepareOneRow<[bigint | null]>(
      db,
      `SELECT max(id) FROM (
        SELECT max(id) AS id FROM categories WHERE id <= ?1
        UNION ALL SELECT max(category_id) FROM pets WHERE category_id <= ?1
        UNION ALL SELECT max(category_id) FROM ${table} WHERE category_id <= ?1 AND new_category IS NULL)`,
    )
    return highest.get(maxNewCategoryId)[0] ?? undefined
  }

  return {
    /** Decides, and changes nothing. */
    settle(table: string, categories: readonly NamedCategory[]): ImportCategories | CategoryRefusal {
      const highest = categories.some(({ id }) => id === undefined) ? highestId(table) : undefined
      return settleCategories(
        categories,
        categories.map(({ name }) => matchOf(name)),
        highest,
      )
    },

    /** Makes the categories that are missing, and gives the pets the ids of new ones. */
    store(table: string, { newIds, made }: ImportCategories): void {
      if (newIds.size === 0) return
      for (const category of made) insert.run(...toStoredRow('categories', category))
      // A table, because looking through all pets for each category would take long.
      db.exec('CREATE TABLE temp.new_ids (nth INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT')
      const insertId = db.prepare('INSERT INTO temp.new_ids VALUES (?, ?)')
      for (const [nth, id] of newIds) insertId.run(nth, id)
      db.exec(`UPDATE ${table} SET category_id = new_ids.id FROM temp.new_ids WHERE nth = new_category`)
      db.exec('DROP TABLE temp.new_ids')
    },
  }
}
