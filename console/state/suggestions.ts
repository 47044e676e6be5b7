import { useEffect, useState } from 'preact/hooks'
import type { Pet } from '../../client/src/index.ts'
import { fillPage } from '../api/fill-page.ts'
import { isId, toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { withFirst } from './pets.ts'
import { canBeFound } from './search-text.ts'

/** After the last letter, in milliseconds. */
const pauseMs = 200
const maxShown = 6
/** The newest orders whose customers are looked at: the same name may be in many. */
const maxOrders = 50

export interface Suggestions<Item> {
  items: readonly Item[]
  isSearching: boolean
}

/** What `read` finds for the text, while it is typed. Nothing after a failure: a suggestion is an extra. */
export function useSuggestions<Item>(
  text: string,
  read: (text: string, signal: AbortSignal) => Promise<readonly Item[]>,
): Suggestions<Item> {
  const [found, setFound] = useState<{ text: string; items: readonly Item[] }>({ text: '', items: [] })
  const asked = canBeFound(text) ? text.trim().slice(0, 100) : ''
  useEffect(() => {
    if (asked === '') return setFound({ text: '', items: [] })
    const left = new AbortController()
    const show = (items: readonly Item[]) => !left.signal.aborted && setFound({ text: asked, items })
    const timer = setTimeout(() => void read(asked, left.signal).then(show, () => show([])), pauseMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [asked])
  return { items: asked === '' ? [] : found.items, isSearching: asked !== found.text }
}

/** Animals that can be ordered, by a part of their name or by their number. */
export async function findAvailablePets(text: string, signal: AbortSignal): Promise<readonly Pet[]> {
  const [page, numbered] = await Promise.all([
    fillPage(
      ({ signal, ...part }) =>
        service()
          .pets.list({ name: text, status: 'available', ...part }, { signal })
          .page(),
      { limit: maxShown, signal },
    ),
    isId(text) ? service().pets.find(toInt64(text), { signal }) : undefined,
  ])
  return withFirst(numbered?.status === 'available' ? numbered : undefined, page.items).slice(0, maxShown)
}

/** Customers of earlier orders, the latest first, each once. */
export async function findCustomers(text: string, signal: AbortSignal): Promise<readonly string[]> {
  const page = await fillPage(
    ({ signal, ...part }) =>
      service()
        .orders.list({ customer: text, sort: '-id', ...part }, { signal })
        .page(),
    { limit: maxOrders, signal },
  )
  return [...new Set(page.items.flatMap(({ customer }) => customer ?? []))].slice(0, maxShown)
}
