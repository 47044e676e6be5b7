import type { CategoryInventory, GetInventoryQuery, Int64, Page } from '../../client/src/index.ts'
import { fillPage } from '../api/fill-page.ts'
import { service } from '../api/service.ts'
import { rememberNames } from './categories.ts'
import { currentPreferences } from './preferences.ts'
import { petStatuses, type StatusOrNone } from './statuses.ts'

const maxCategories = 8

/** How many animals there are. */
export interface Stock extends Record<StatusOrNone | 'total', number> {
  /** The largest categories. Undefined if the service does not offer the inventory. */
  categories?: readonly CategoryStock[]
  /** In all other categories. */
  others?: number
}

export async function readInventory(signal: AbortSignal, limit = maxCategories): Promise<Stock> {
  const inventory = await service().pets.inventory({ limit }, { signal })
  rememberInventory(inventory.categories)
  const { total, available, pending, sold, none, others } = inventory
  return {
    total: Number(total),
    available: Number(available),
    pending: Number(pending),
    sold: Number(sold),
    none: Number(none),
    others: Number(others),
    categories: inventory.categories.map(stockOf),
  }
}

/** How many animals a category has. */
export interface CategoryStock extends Record<StatusOrNone | 'total', number> {
  id: Int64
  name: string
}

/** Other views show the same names. */
function rememberInventory(categories: readonly CategoryInventory[]): void {
  rememberNames(categories.map(({ id, name = null }) => ({ id, name })))
}

function stockOf({ id, name = `Category ${id}`, ...counts }: CategoryInventory): CategoryStock {
  const { total, available, pending, sold, none } = counts
  return {
    id,
    name,
    total: Number(total),
    available: Number(available),
    pending: Number(pending),
    sold: Number(sold),
    none: Number(none),
  }
}

/** A page of all categories, by id; of those with animals, the largest first; or of those with a name, by id. */
export function readCategoryStock(
  { cursor, ...which }: Pick<GetInventoryQuery, 'cursor' | 'name' | 'sort'>,
  signal: AbortSignal,
): Promise<Page<CategoryStock>> {
  return fillPage(
    async ({ signal, ...part }) => {
      const { categories, cursor } = await service().pets.inventory({ ...which, ...part }, { signal })
      rememberInventory(categories)
      return { items: categories.map(stockOf), cursor }
    },
    { cursor, limit: currentPreferences().pageSize, signal },
  )
}

/** Of one category, or for a service with stable operations only: four counts, which may be of different moments. */
export async function countByStatus(
  signal: AbortSignal,
  filter: { categoryId?: Int64 | undefined } = {},
): Promise<Stock> {
  const { pets } = service()
  const counts = petStatuses.map((status) => pets.count({ ...filter, status }, { signal }))
  const [counted, available = 0, pending = 0, sold = 0] = await Promise.all([pets.count(filter, { signal }), ...counts])
  const known = available + pending + sold
  const total = Math.max(counted, known)
  return { total, available, pending, sold, none: total - known }
}
