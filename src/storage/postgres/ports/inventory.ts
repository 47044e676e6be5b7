import type { Inventory } from '../../../contract/inventory.ts'
import type { Pets } from '../../../inventory/pets.ts'
import { type InventoryRow, toInventory } from '../../shared/rows/inventory-row.ts'
import { shareReads } from '../reads/coalesce.ts'
import { counter } from '../schema/counters.ts'
import { sums, totals } from '../schema/counts.ts'
import type { Statement } from '../connection/database.ts'
import type { Readers } from '../reads/readers.ts'

// Each is one statement, so that all counts are from one moment.

/** Returns no row if the totals are void. */
export const fromTotals: Statement = {
  name: 'inventory',
  text: inventory(
    `SELECT totals.* FROM (${totals('*')}) AS totals, (${counter('events')}) AS latest 
      WHERE totals.event = latest.last AND totals.category_sums = totals.sums`,
    'SELECT category_id, animals FROM category_totals',
  ),
}
const addedUp: Statement = {
  name: 'inventory_added_up',
  text: inventory(
    `SELECT ${sums} FROM pet_counts`,
    'SELECT category_id, sum(animals) AS animals FROM pet_counts GROUP BY category_id',
  ),
}

/** LIMIT 1 makes every plan look up each name by its id. */
function inventory(all: string, sizes: string): string {
  return `
    SELECT totals.available, totals.pending, totals.sold, totals.none,
        largest.category_id, named.name, counted.available, counted.pending, counted.sold, counted.none
      FROM (${all}) AS totals LEFT JOIN (
          SELECT category_id, animals FROM (${sizes}) AS sizes WHERE animals > 0
            ORDER BY animals DESC, category_id LIMIT $1
        ) AS largest ON true
        LEFT JOIN LATERAL (SELECT name FROM categories WHERE id = largest.category_id LIMIT 1) AS named ON true
        LEFT JOIN LATERAL (SELECT ${sums} FROM pet_counts WHERE category_id = largest.category_id) AS counted ON true
      ORDER BY largest.animals DESC, largest.category_id`
}

export function postgresInventory(
  { countPending, readUncounted }: Readers,
  repairTotals: () => void,
): Pets['inventory'] {
  const share = shareReads<Inventory>()

  async function readInventory(limit: number): Promise<Inventory> {
    const { rows } = await readUncounted(fromTotals, [limit])
    if (rows.length > 0) return toInventory(rows as InventoryRow[])
    repairTotals()
    return toInventory((await readUncounted(addedUp, [limit])).rows as InventoryRow[])
  }

  return (limit) => countPending(() => share(String(limit), () => readInventory(limit)))
}
