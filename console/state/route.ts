import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Int64 } from '../../client/src/index.ts'
import { hasRoomForPanes } from './room.ts'
import { createStore, useStore } from './store.ts'
import { type View, viewOf } from './views.ts'

export type Query = Readonly<Partial<Record<string, string>>>

export interface Route {
  view: View
  query: Query
  /** How far the page was scrolled when this address was left; 0 if it is new in the history. */
  scrollTop: number
}

/** What the browser's history keeps with an address. */
interface HistoryState {
  /** The address that it was opened from. */
  from?: string
}

/** The current view and its query, from the fragment, so that links and the back button work. */
const route = createStore<Route>({ ...parseRoute(''), scrollTop: 0 })

const scrollTops = new Map<string, number>()
let isGoingBack = false

/** Follows the address from now on. */
export function startRoute(): void {
  // The browser would restore the position before the list is there.
  history.scrollRestoration = 'manual'
  history.replaceState(history.state ?? {}, '')
  update()
  addEventListener('hashchange', update)
  addEventListener('scroll', () => scrollTops.set(hrefWith({}), scrollY))
}

/** Shows the address. One without a state is new: a link was followed. */
function update(): void {
  isGoingBack = false
  const isNew = history.state === null
  if (isNew) history.replaceState({ from: hrefWith({}) } satisfies HistoryState, '')
  const { view, query } = parseRoute(location.hash)
  show(view, query, isNew ? 0 : scrollTops.get(hrefOf(view, query)))
}

function show(view: View, query: Query, scrollTop = 0): void {
  route.set({ view, query, scrollTop })
}

export function useRoute(): Route {
  return useStore(route)
}

export function currentRoute(): Route {
  return route.get()
}

/** Another page of a list starts at its top; one that Back returns to, where it was left, as soon as it is there. */
export function useScrollPosition(page: string, isLoaded: boolean): void {
  const placed = useRef<string>(undefined)
  useLayoutEffect(() => {
    const { scrollTop } = currentRoute()
    if (placed.current === page || (scrollTop > 0 && !isLoaded)) return
    placed.current = page
    scrollTo(0, scrollTop)
  }, [page, isLoaded])
}

/** The address of a view. Undefined members of the query are omitted. */
export function hrefOf(view: View, query: Query = {}): string {
  const given = Object.entries(query).filter((member): member is [string, string] => (member[1] ?? '') !== '')
  const search = new URLSearchParams(given).toString()
  return search === '' ? `#/${view}` : `#/${view}?${search}`
}

/** At once, so that the next key that is pressed meets the new view. */
export function go(view: View, query?: Query): void {
  const href = hrefOf(view, query)
  if (href === location.hash) return
  history.pushState(null, '', href)
  update()
}

/** The address of the current view with a changed query. */
export function hrefWith(change: Query): string {
  const { view, query } = route.get()
  return hrefOf(view, { ...query, ...change })
}

export function goWith(change: Query): void {
  const { view, query } = route.get()
  go(view, { ...query, ...change })
}

/** Replaces the current history entry, so that Back does not return to it. */
export function replaceWith(change: Query): void {
  history.replaceState(history.state, '', hrefWith(change))
  const { view, query } = parseRoute(location.hash)
  show(view, query)
}

/** The members of a query that open a sheet over a view. At most one of them is there. */
const noSheet: Query = { animal: undefined, order: undefined, webhook: undefined }

/** The address of an animal's sheet over the current view; `new` for one to add. */
export function hrefOfAnimal(id: Int64 | string): string {
  return hrefWith({ ...noSheet, animal: String(id) })
}

export function hrefOfOrder(id: Int64 | string): string {
  return hrefWith({ ...noSheet, order: String(id) })
}

export function hrefOfWebhook(id: Int64): string {
  return hrefWith({ ...noSheet, webhook: String(id) })
}

/** Opens the sheet of an animal; `new` for one to add. */
export function openAnimal(id: Int64 | string): void {
  goWith({ ...noSheet, animal: String(id) })
}

export function openOrder(id: Int64 | string): void {
  goWith({ ...noSheet, order: String(id) })
}

/** Goes back to the list or sheet that the open sheet was opened from; otherwise shows its list in its place. */
export function closeSheet(): void {
  const { from } = (history.state ?? {}) as HistoryState
  const opener = from === undefined ? undefined : parseRoute(from)
  const isSameList = opener !== undefined && hrefOf(opener.view, { ...opener.query, ...noSheet }) === hrefWith(noSheet)
  // Beside a list, one item after the other is opened: closing the last one does not lead back through them.
  const isOpenerSheet = opener !== undefined && Object.keys(noSheet).some((name) => opener.query[name] !== undefined)
  if (!isSameList || (isOpenerSheet && hasRoomForPanes())) return replaceWith(noSheet)
  if (!isGoingBack) history.back()
  isGoingBack = true
}

function parseRoute(hash: string): Pick<Route, 'view' | 'query'> {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  return {
    view: viewOf(path) ?? 'stock',
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}
