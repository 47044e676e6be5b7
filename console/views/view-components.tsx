import type { ComponentType } from 'preact'
import type { Query } from '../state/route.ts'
import type { View } from '../state/views.ts'
import { ActivityView } from './activity/activity-view.tsx'
import { Animals } from './animals/animals.tsx'
import { CategoryStockView } from './categories/category-stock.tsx'
import { Keys } from './keys/keys.tsx'
import { Orders } from './orders/orders.tsx'
import { Settings } from './settings.tsx'
import { StockView } from './stock.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'

/** What each view of state/views.ts shows. Only the page of a sandbox has the code of its own view. */
export const viewComponents: Record<View, ComponentType<{ query: Query }> | undefined> = {
  stock: StockView,
  categories: CategoryStockView,
  animals: Animals,
  orders: Orders,
  activity: ActivityView,
  keys: Keys,
  webhooks: Webhooks,
  settings: Settings,
  sandbox: undefined,
}
