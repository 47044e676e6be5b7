import type { DatabaseSync } from 'node:sqlite'
import type { Pets } from '../../../inventory/pets.ts'
import {
  idRange,
  type InventoryRow,
  inventoryStart,
  toInventoryByIdPage,
  toInventoryOf,
  toInventoryPage,
} from '../../shared/rows/inventory-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'

// One statement each, so that all counts are of one moment.

/**
 * The categories after a cursor: those of the same size with a higher id, then the smaller ones. Two ranges of the index,
 * because one would pass all categories of the same size.
 */
const categoriesAfter = `
  SELECT * FROM category_counts WHERE total = ?1 AND category_id > ?2
  UNION ALL SELECT * FROM category_counts WHERE total > 0 AND total < ?1
  ORDER BY total DESC, category_id LIMIT (?3 + 0)`

export const inventorySql = `
  SELECT totals.available, totals.pending, totals.sold, totals.none,
      largest.category_id, categories.name, largest.available, largest.pending, largest.sold, largest.none
    FROM pet_totals AS totals LEFT JOIN (${categoriesAfter}
      ) AS largest LEFT JOIN categories ON categories.id = largest.category_id
    ORDER BY largest.total DESC, largest.category_id`

/** SQLite merges two ranges of primary keys, and stops at the limit. */
const categoriesById = `
  SELECT id FROM categories WHERE id >= ?1 AND id IS NOT ?2
  UNION SELECT category_id FROM category_counts WHERE category_id >= ?1 AND category_id IS NOT ?2 AND total > 0
  ORDER BY id LIMIT (?3 + 0)`

export const inventoryByIdSql = `
  SELECT totals.available, totals.pending, totals.sold, totals.none, listed.id, categories.name,
      ifnull(counts.available, 0), ifnull(counts.pending, 0), ifnull(counts.sold, 0), ifnull(counts.none, 0)
    FROM pet_totals AS totals LEFT JOIN (${categoriesById}
      ) AS listed LEFT JOIN categories ON categories.id = listed.id
        LEFT JOIN category_counts AS counts ON counts.category_id = listed.id
    ORDER BY listed.id`

const ofCategoriesSql = `
  SELECT totals.available, totals.pending, totals.sold, totals.none,
      counts.category_id, NULL, counts.available, counts.pending, counts.sold, counts.none
    FROM pet_totals AS totals
      LEFT JOIN category_counts AS counts ON counts.category_id IN (SELECT value FROM json_each(?))`

export function sqliteInventory(reader: DatabaseSync): Pick<Pets, 'inventory' | 'inventoryById' | 'inventoryOf'> {
  const read = readsOf(reader)
  const page = prepareRows<InventoryRow>(reader, inventorySql)
  const pageById = prepareRows<InventoryRow>(reader, inventoryByIdSql)
  const ofCategories = prepareRows<InventoryRow>(reader, ofCategoriesSql)
  return {
    inventory: (limit, { total, id } = inventoryStart) =>
      read(() => toInventoryPage(page.all(total, id, limit + 1), limit)),
    inventoryById: (limit, after) =>
      read(() => {
        const rows = pageById.all(...idRange(after), limit + 1)
        return toInventoryByIdPage(rows, limit)
      }),
    inventoryOf: (categories) =>
      read(() => {
        const ids = `[${categories.map(({ id }) => id).join()}]`
        return toInventoryOf(ofCategories.all(ids), categories)
      }),
  }
}
