import type { Operation, Stability } from '../operation.ts'
import { bulkChangePets } from './bulk.ts'
import { createCategory, deleteCategory, getCategory, listCategories, putCategory } from './categories.ts'
import { listDays } from './days.ts'
import { listEvents } from './events.ts'
import { listImports, undoImport } from './imports.ts'
import { getInventory } from './inventory.ts'
import {
  createInvitation,
  deleteInvitation,
  getCurrentInvitation,
  getInvitation,
  listInvitations,
  redeemInvitation,
} from './invitations.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from './keys.ts'
import { listDeliveries, resendDelivery, testWebhook } from './deliveries.ts'
import { getOrder, listOrders, placeOrder, updateOrder } from './orders.ts'
import { createPet, deletePet, getPet, listPets, updatePet } from './pets.ts'
import { exportOrders, exportPets, importPets } from './transfer.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, rotateWebhook, updateWebhook } from './webhooks.ts'

/** Every operation of the service. */
export const operations: readonly Operation[] = [
  listPets,
  createPet,
  getPet,
  updatePet,
  deletePet,
  bulkChangePets,
  importPets,
  exportPets,
  listImports,
  undoImport,
  listOrders,
  getOrder,
  placeOrder,
  updateOrder,
  exportOrders,
  getInventory,
  listDays,
  listCategories,
  createCategory,
  getCategory,
  putCategory,
  deleteCategory,
  listEvents,
  listKeys,
  createKey,
  getKey,
  updateKey,
  revokeKey,
  rotateKey,
  listInvitations,
  createInvitation,
  getInvitation,
  deleteInvitation,
  getCurrentInvitation,
  redeemInvitation,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhook,
  testWebhook,
  listDeliveries,
  resendDelivery,
]

/** The groups of the operations, by the beginning of their paths, in the order of the documents. */
export const tags = [
  { name: 'pets', description: 'The animals of the shop.' },
  { name: 'store', description: 'Orders for animals, how many animals there are, and what happened on each day.' },
  { name: 'categories', description: 'The names of the categories.' },
  { name: 'events', description: 'Every change in the shop.' },
  { name: 'keys', description: 'The API keys. For admins.' },
  { name: 'invitations', description: 'Links that give a colleague a key. For admins.' },
  { name: 'webhooks', description: 'The addresses that events are sent to. For admins.' },
  { name: 'sandbox', description: 'What only a sandbox has: its shop, to be reset, saved and disturbed.' },
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
