import type { Inventory } from '../../../contract/inventory.ts'
import type { Pets } from '../../../inventory/pets.ts'
import { type InventoryRow, toInventory } from '../../shared/rows/inventory-row.ts'
import { shareReads } from '../reads/coalesce.ts'
import { totals } from '../schema/counts.ts'
import type { Statement } from '../connection/database.ts'
import type { Readers } from '../reads/readers.ts'

/** One statement, so that all counts are from one moment. LIMIT 1 makes every plan look up each name by its id. */
export const inventory: Statement = {
  name: 'inventory',
  text: `
    SELECT totals.available, totals.pending, totals.sold, totals.none,
        largest.category_id, named.name, largest.available, largest.pending, largest.sold, largest.none
      FROM (${totals('*')}) AS totals LEFT JOIN (
          SELECT * FROM category_counts WHERE total > 0 ORDER BY total DESC, category_id LIMIT $1
        ) AS largest ON true
        LEFT JOIN LATERAL (SELECT name FROM categories WHERE id = largest.category_id LIMIT 1) AS named ON true
      ORDER BY largest.total DESC, largest.category_id`,
}

export function postgresInventory({ countPending, readUncounted }: Readers): Pets['inventory'] {
  const share = shareReads<Inventory>()

  async function readInventory(limit: number): Promise<Inventory> {
    return toInventory((await readUncounted(inventory, [limit])).rows as InventoryRow[])
  }

  return (limit) => countPending(() => share(String(limit), () => readInventory(limit)))
}
