import { createStore, useStore } from './store.ts'

export type Query = Readonly<Partial<Record<string, string>>>

export interface Route {
  view: View
  query: Query
}

export const views = ['stock', 'animals', 'orders', 'keys', 'settings'] as const
export type View = (typeof views)[number]

/** The current view and its query, from the fragment, so that links and the back button work. */
const route = createStore(parseRoute(''))

/** Follows the address from now on. */
export function startRoute(): void {
  const update = (): void => route.set(parseRoute(location.hash))
  update()
  addEventListener('hashchange', update)
}

export function useRoute(): Route {
  return useStore(route)
}

export function currentRoute(): Route {
  return route.get()
}

/** The address of a view. Undefined members of the query are omitted. */
export function hrefOf(view: View, query: Query = {}): string {
  const given = Object.entries(query).filter((member): member is [string, string] => (member[1] ?? '') !== '')
  const search = new URLSearchParams(given).toString()
  return search === '' ? `#/${view}` : `#/${view}?${search}`
}

export function go(view: View, query?: Query): void {
  location.hash = hrefOf(view, query)
}

/** The address of the current view with a changed query. */
export function hrefWith(change: Query): string {
  const { view, query } = route.get()
  return hrefOf(view, { ...query, ...change })
}

export function goWith(change: Query): void {
  location.hash = hrefWith(change)
}

/** Replaces the current history entry, so that Back does not return to it. */
export function replaceWith(change: Query): void {
  location.replace(hrefWith(change))
}

function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  return {
    view: views.find((view) => view === path) ?? 'stock',
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}
