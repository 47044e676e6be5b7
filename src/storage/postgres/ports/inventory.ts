import type { InventoryPage } from '../../../inventory/inventory-page.ts'
import type { Pets } from '../../../inventory/pets.ts'
import {
  idRange,
  type InventoryRow,
  inventoryStart,
  toInventoryByIdPage,
  toInventoryOf,
  toInventoryPage,
} from '../../shared/rows/inventory-row.ts'
import { shareReads } from '../reads/coalesce.ts'
import { countsOf, totals } from '../schema/counts.ts'
import type { Statement } from '../connection/statement.ts'
import type { Reads } from '../reads/read.ts'

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

/** One range of a table, by its primary key. */
const idsOf = (table: string, id: string, condition = '') => `
  SELECT ${id} AS id FROM ${table} WHERE ${id} >= $1::int8 AND ${id} IS DISTINCT FROM $2::int8 ${condition}
    ORDER BY ${id} LIMIT $3`

/** Each table has as many ids as the page, so the first ones of both are the page. */
export const inventoryById: Statement = {
  name: 'inventory_by_id',
  text: `
    SELECT totals.available, totals.pending, totals.sold, totals.none, listed.id, named.name,
        coalesce(counts.available, 0), coalesce(counts.pending, 0), coalesce(counts.sold, 0), coalesce(counts.none, 0)
      FROM (${totals('*')}) AS totals LEFT JOIN (
          SELECT id FROM (
            (${idsOf('categories', 'id')}) UNION (${idsOf('category_counts', 'category_id', 'AND total > 0')})
          ) AS ids ORDER BY id LIMIT $3
        ) AS listed ON true
        LEFT JOIN LATERAL (SELECT name FROM categories WHERE id = listed.id LIMIT 1) AS named ON true
        LEFT JOIN LATERAL (${countsOf('listed.id', '*')}) AS counts ON true
      ORDER BY listed.id`,
}

const ofCategories: Statement = {
  name: 'inventory_of',
  text: `
    SELECT totals.available, totals.pending, totals.sold, totals.none,
        counts.category_id, NULL, counts.available, counts.pending, counts.sold, counts.none
      FROM (${totals('*')}) AS totals LEFT JOIN unnest($1::int8[]) AS wanted (id) ON true
        LEFT JOIN LATERAL (${countsOf('wanted.id', '*')}) AS counts ON true`,
}

export function postgresInventory({
  countPending,
  readUncounted,
}: Reads): Pick<Pets, 'inventory' | 'inventoryById' | 'inventoryOf'> {
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
    inventoryById: (limit, after) =>
      countPending(async () => toInventoryByIdPage(await rowsOf(inventoryById, [...idRange(after), limit + 1]), limit)),
    inventoryOf: (categories) =>
      countPending(async () => toInventoryOf(await rowsOf(ofCategories, [categories.map(({ id }) => id)]), categories)),
  }
}
