import type { DatabaseSync } from 'node:sqlite'
import type { Pets } from '../../../inventory/pets.ts'
import { type InventoryRow, toInventory } from '../../shared/rows/inventory-row.ts'
import { prepareRows, readsOf } from '../connection/database.ts'

/** One statement, so that all counts are of one moment. */
export const inventorySql = `
  SELECT totals.available, totals.pending, totals.sold, totals.none,
      largest.category_id, categories.name, largest.available, largest.pending, largest.sold, largest.none
    FROM pet_totals AS totals LEFT JOIN (
        SELECT * FROM category_counts WHERE total > 0 ORDER BY total DESC, category_id LIMIT (? + 0)
      ) AS largest LEFT JOIN categories ON categories.id = largest.category_id
    ORDER BY largest.total DESC, largest.category_id`

export function sqliteInventory(reader: DatabaseSync): Pets['inventory'] {
  const read = readsOf(reader)
  const inventory = prepareRows(reader, inventorySql)
  return (limit) => read(() => toInventory(inventory.all(limit) as unknown as InventoryRow[]))
}
