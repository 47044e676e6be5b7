import type { CategoryInventory, Inventory } from '../../../contract/inventory.ts'

type CountsRow = [available: bigint, pending: bigint, sold: bigint, none: bigint]

/** The counts of all animals, then a category with its counts. Where no category has an animal, one row with NULLs. */
export type InventoryRow = [...CountsRow, categoryId: bigint | null, name: string | null, ...CountsRow]

export function toInventory(rows: readonly InventoryRow[]): Inventory {
  const [first] = rows as [InventoryRow]
  const counts = toCounts(first.slice(0, 4) as CountsRow)
  const categories = rows.flatMap((row) => toCategory(row))
  const listed = categories.reduce((sum, { total }) => sum + total, 0n)
  return { ...counts, categories, others: counts.total - listed }
}

function toCategory([, , , , id, name, ...counts]: InventoryRow): CategoryInventory[] {
  return id === null ? [] : [{ id, ...(name !== null && { name }), ...toCounts(counts) }]
}

function toCounts([available, pending, sold, none]: CountsRow) {
  return { total: available + pending + sold + none, available, pending, sold, none }
}
