import { createStore, useStore } from './store.ts'

export type Query = Readonly<Partial<Record<string, string>>>

export interface Route {
  view: View
  query: Query
}

export const views = ['stock', 'animals', 'orders', 'settings'] as const
export type View = (typeof views)[number]

/** Where the page is: behind the # is a view and what is asked of it, so that links and the back button work. */
const route = createStore(read())

addEventListener('hashchange', () => route.set(read()))

export function useRoute(): Route {
  return useStore(route)
}

export function currentRoute(): Route {
  return route.get()
}

/** The address of a view. Members of the query that are undefined are left out. */
export function hrefOf(view: View, query: Query = {}): string {
  const given = Object.entries(query).filter((member): member is [string, string] => (member[1] ?? '') !== '')
  const search = new URLSearchParams(given).toString()
  return search === '' ? `#/${view}` : `#/${view}?${search}`
}

export function go(view: View, query?: Query): void {
  location.hash = hrefOf(view, query)
}

/** The address of the view that is open, with some of its query changed. */
export function hrefWith(change: Query): string {
  const { view, query } = route.get()
  return hrefOf(view, { ...query, ...change })
}

export function goWith(change: Query): void {
  location.hash = hrefWith(change)
}

/** Takes the place of the current page in the history, so that Back does not lead there again. */
export function replaceWith(change: Query): void {
  location.replace(hrefWith(change))
}

function read(): Route {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return {
    view: views.find((view) => view === path) ?? 'stock',
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}
