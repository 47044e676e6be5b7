import { createStore, useStore } from './store.js'

/** Where the page is: behind the # is a view and what is asked of it, so that links and the back button work. */
const route = createStore(read())

addEventListener('hashchange', () => route.set(read()))

export const views = ['stock', 'animals', 'orders', 'settings']

export function useRoute() {
  return useStore(route)
}

export function currentRoute() {
  return route.get()
}

/** The address of a view. Members of the query that are undefined are left out. */
export function hrefOf(view, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given).toString()
  return search === '' ? `#/${view}` : `#/${view}?${search}`
}

export function go(view, query) {
  location.hash = hrefOf(view, query)
}

/** The address of the view that is open, with some of its query changed. */
export function hrefWith(change) {
  const { view, query } = route.get()
  return hrefOf(view, { ...query, ...change })
}

export function goWith(change) {
  location.hash = hrefWith(change)
}

function read() {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { view: path === '' ? 'stock' : path, query: Object.fromEntries(new URLSearchParams(search)) }
}
