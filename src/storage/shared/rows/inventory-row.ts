import type { Category } from '../../../contract/category.ts'
import { int64Max, int64Min } from '../../../contract/int64.ts'
import type { CategoryInventory, Inventory } from '../../../contract/inventory.ts'
import type { InventoryByIdPage, InventoryPage, InventoryCursor } from '../../../inventory/inventory-page.ts'

type CountsRow = [available: bigint, pending: bigint, sold: bigint, none: bigint]

/** The counts of all animals, then a category with its counts. Where no category has an animal, one row with NULLs. */
export type InventoryRow = [...CountsRow, categoryId: bigint | null, name: string | null, ...CountsRow]

/** Before the first page: no category has so many animals. */
export const inventoryStart: InventoryCursor = { total: int64Max, id: 0n }

/** The lowest id that may come next, and one that does not. An id may be the lowest int64, so no id is before the first page. */
export function idRange(after: bigint | undefined): [from: bigint, except: bigint | null] {
  return [after ?? int64Min, after ?? null]
}

/** `rows` has one category more than the page, if there is a next one. */
export function toInventoryPage(rows: readonly InventoryRow[], limit: number): InventoryPage {
  const page = toInventory(rows.slice(0, limit))
  const last = rows.length > limit ? page.categories.at(-1) : undefined
  return { ...page, ...(last && { next: { total: last.total, id: last.id } }) }
}

/** The same for the categories by id. */
export function toInventoryByIdPage(rows: readonly InventoryRow[], limit: number): InventoryByIdPage {
  const { next, ...page } = toInventoryPage(rows, limit)
  return { ...page, ...(next && { next: next.id }) }
}

/** The inventory of these categories, of which `rows` has those with animals. */
export function toInventoryOf(rows: readonly InventoryRow[], categories: readonly Category[]): Inventory {
  const { categories: counted, ...counts } = toInventory(rows)
  const byId = new Map(counted.map((category) => [category.id, category]))
  const zeroCounts = toCounts([0n, 0n, 0n, 0n])
  return { ...counts, categories: categories.map(({ id, name }) => ({ ...zeroCounts, ...byId.get(id), id, name })) }
}

function toInventory(rows: readonly InventoryRow[]): Inventory {
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
