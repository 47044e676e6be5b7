import type { Storage } from '../../../inventory/storage.ts'
import { categoriesPort } from './categories.ts'
import type { Engine } from './engine.ts'
import { ordersPort } from './orders.ts'

/** The ports that are the same on every engine. */
export function resourcePorts(engine: Engine): Pick<Storage, 'orders' | 'categories'> {
  return { orders: ordersPort(engine), categories: categoriesPort(engine) }
}
