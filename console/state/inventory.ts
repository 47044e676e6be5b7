import type { Int64 } from '../../client/src/index.ts'
import { service } from '../api/service.ts'
import { petStatuses, type StatusOrNone } from './statuses.ts'

const maxCategories = 8

/** How many animals there are. */
export interface Stock extends Record<StatusOrNone | 'total', number> {
  /** The largest categories. Undefined if the service does not offer the inventory. */
  categories?: readonly { id: Int64; name: string; total: number }[]
  /** In all other categories. */
  others?: number
}

export async function readInventory(signal: AbortSignal, limit = maxCategories): Promise<Stock> {
  const inventory = await service().pets.inventory({ limit }, { signal })
  const { total, available, pending, sold, none, others } = inventory
  return {
    total: Number(total),
    available: Number(available),
    pending: Number(pending),
    sold: Number(sold),
    none: Number(none),
    others: Number(others),
    categories: inventory.categories.map(({ id, name = `Category ${id}`, ...counts }) => ({
      id,
      name,
      total: Number(counts.total),
    })),
  }
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
