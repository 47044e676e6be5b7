import type { May } from './session.ts'

interface ViewDescription {
  title: string
  /** The operation without which the view has nothing to show. */
  needs?: string
  /** Its icon in the navigation; absent if another view leads to it: a phone has no room for all. */
  icon?: string
  /** The view that leads to it. */
  under?: string
  /** A key that goes to it. */
  key?: string
  /** Whether it begins anew when the number of rows on a page changes. */
  isPaged?: true
}

/**
 * Every view, by its name in the address, in the order of the navigation. views/view-components.tsx has the component of
 * each; addresses, navigation, titles, palette, shortcuts and tests are made of this table.
 */
export const views = {
  stock: { title: 'Stock', icon: 'stock', key: 's' },
  animals: { title: 'Animals', icon: 'animals', key: 'a', isPaged: true },
  categories: { title: 'Categories', needs: 'getInventory', icon: 'categories', isPaged: true },
  orders: { title: 'Orders', needs: 'listOrders', icon: 'orders', key: 'o', isPaged: true },
  activity: { title: 'Activity', needs: 'listEvents', icon: 'activity', isPaged: true },
  keys: { title: 'Keys', needs: 'listKeys', icon: 'keys' },
  webhooks: { title: 'Webhooks', needs: 'listWebhooks', under: 'settings' },
  settings: { title: 'Settings', icon: 'settings' },
  sandbox: { title: 'Sandbox', needs: 'resetShop', icon: 'sandbox' },
} as const satisfies Record<string, ViewDescription>

export type View = keyof typeof views

export const viewNames = Object.keys(views) as View[]

/** Whether a view has anything for this key. */
export function isOffered(view: View, may: May): boolean {
  const { needs }: ViewDescription = views[view]
  return needs === undefined || may(needs)
}

/** A view, if its name is in an address. */
export function viewOf(name: string): View | undefined {
  return viewNames.find((view) => view === name)
}
