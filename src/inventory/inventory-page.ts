import type { Inventory } from '../contract/inventory.ts'

/** Where a page of the categories by their size ends. */
export interface InventoryCursor {
  /** How many animals the category has. */
  total: bigint
  id: bigint
}

export interface InventoryPage extends Inventory {
  /** Where the next page starts. Undefined on the last one. */
  next?: InventoryCursor
}

export interface InventoryByIdPage extends Inventory {
  /** The next page starts after this id. Undefined on the last one. */
  next?: bigint
}
