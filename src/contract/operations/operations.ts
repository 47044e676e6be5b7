import type { Operation, Stability } from '../operation.ts'
import { createCategory, deleteCategory, getCategory, listCategories, putCategory } from './categories.ts'
import { listEvents } from './events.ts'
import { getInventory } from './inventory.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys.ts'
import { getOrder, listOrders, placeOrder, updateOrder } from './orders.ts'
import { createPet, deletePet, getPet, listPets, updatePet } from './pets.ts'
import { exportPets, importPets } from './transfer.ts'

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  listPets,
  createPet,
  getPet,
  updatePet,
  deletePet,
  importPets,
  exportPets,
  listOrders,
  getOrder,
  placeOrder,
  updateOrder,
  getInventory,
  listCategories,
  createCategory,
  getCategory,
  putCategory,
  deleteCategory,
  listEvents,
  listKeys,
  createKey,
  getKey,
  revokeKey,
  rotateKey,
]

/** The least stable operations that a deployment serves. `stable`: only those that the contract names. */
export type StabilityLevel = 'stable' | Stability

export const stabilityLevels: readonly StabilityLevel[] = ['stable', 'beta', 'experimental']

export function isServed({ stability, isNamedInContract }: Operation, minStability: StabilityLevel): boolean {
  return (
    isNamedInContract === true ||
    stabilityLevels.indexOf(stability ?? 'stable') <= stabilityLevels.indexOf(minStability)
  )
}
