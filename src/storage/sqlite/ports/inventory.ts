import type { DatabaseSync } from 'node:sqlite'
import type { Pets } from '../../../inventory/pets.ts'
import { type InventoryRow, inventoryStart, toInventoryOf, toInventoryPage } from '../../shared/rows/inventory-row.ts'
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

const ofCategoriesSql = `
  SELECT totals.available, totals.pending, totals.sold, totals.none,
      counts.category_id, NULL, counts.available, counts.pending, counts.sold, counts.none
    FROM pet_totals AS totals
      LEFT JOIN category_counts AS counts ON counts.category_id IN (SELECT value FROM json_each(?))`

export function sqliteInventory(reader: DatabaseSync): Pick<Pets, 'inventory' | 'inventoryOf'> {
  const read = readsOf(reader)
  const page = prepareRows(reader, inventorySql)
  const ofCategories = prepareRows(reader, ofCategoriesSql)
  return {
    inventory: (limit, { total, id } = inventoryStart) =>
      read(() => toInventoryPage(page.all(total, id, limit + 1) as unknown as InventoryRow[], limit)),
    inventoryOf: (categories) =>
      read(() => {
        const ids = `[${categories.map(({ id }) => id).join()}]`
        return toInventoryOf(ofCategories.all(ids) as unknown as InventoryRow[], categories)
      }),
  }
}
