import type { InventoryPage, Pets } from '../../../inventory/pets.ts'
import { type InventoryRow, inventoryStart, toInventoryOf, toInventoryPage } from '../../shared/rows/inventory-row.ts'
import { shareReads } from '../reads/coalesce.ts'
import { countsOf, totals } from '../schema/counts.ts'
import type { Statement } from '../connection/database.ts'
import type { Readers } from '../reads/readers.ts'

// One statement each, so that all counts are from one moment. LIMIT 1 makes every plan look up each row by its id.

export const inventory: Statement = {
  name: 'inventory',
  text: `
    SELECT totals.available, totals.pending, totals.sold, totals.none,
        largest.category_id, named.name, largest.available, largest.pending, largest.sold, largest.none
      FROM (${totals('*')}) AS totals LEFT JOIN (
          SELECT * FROM category_counts WHERE (-total, category_id) > (-$1::int8, $2::int8) AND -total < 0
            ORDER BY -total, category_id LIMIT $3
        ) AS largest ON true
        LEFT JOIN LATERAL (SELECT name FROM categories WHERE id = largest.category_id LIMIT 1) AS named ON true
      ORDER BY largest.total DESC, largest.category_id`,
}

const ofCategories: Statement = {
  name: 'inventory_of',
  text: `
    SELECT totals.available, totals.pending, totals.sold, totals.none,
        counts.category_id, NULL, counts.available, counts.pending, counts.sold, counts.none
      FROM (${totals('*')}) AS totals LEFT JOIN unnest($1::int8[]) AS wanted (id) ON true
        LEFT JOIN LATERAL (${countsOf('wanted.id', '*')}) AS counts ON true`,
}

export function postgresInventory({ countPending, readUncounted }: Readers): Pick<Pets, 'inventory' | 'inventoryOf'> {
  const share = shareReads<InventoryPage>()

  async function rowsOf(statement: Statement, values: unknown[]): Promise<InventoryRow[]> {
    return (await readUncounted(statement, values)).rows as InventoryRow[]
  }

  return {
    inventory: (limit, { total, id } = inventoryStart) =>
      countPending(() =>
        share(`${limit} ${total} ${id}`, async () =>
          toInventoryPage(await rowsOf(inventory, [total, id, limit + 1]), limit),
        ),
      ),
    inventoryOf: (categories) =>
      countPending(async () => toInventoryOf(await rowsOf(ofCategories, [categories.map(({ id }) => id)]), categories)),
  }
}
