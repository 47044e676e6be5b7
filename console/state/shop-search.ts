import { useEffect, useState } from 'preact/hooks'
import { type Category, isPetStoreError, type Order, type Page, type Pet } from '../../client/src/index.ts'
import { fillPage, type Part } from '../api/fill-page.ts'
import { isId, toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { withFirst } from './pets.ts'
import { orderNumberOf } from './search-text.ts'
import type { May } from './session.ts'

/** What the shop has for a text: each part appears when it is read. */
export interface ShopResults {
  animals: readonly Pet[]
  /** By number or customer, the newest first. */
  orders: readonly Order[]
  categories: readonly Category[]
  /** Whether more match than were read. */
  hasMore?: true
  /** Why a part is missing. */
  error?: unknown
}

export interface ShopSearch extends ShopResults {
  isSearching: boolean
}

const maxEach = 5
/** After the last letter, in milliseconds. */
const pauseMs = 200
const none: ShopResults = { animals: [], orders: [], categories: [] }

/** Searches animals, orders and categories at the same time. Calls back with each part; resolves when all are there. */
export async function searchShop(
  text: string,
  may: May,
  signal: AbortSignal,
  onPart: (part: Partial<ShopResults>) => void,
): Promise<void> {
  const { pets, orders, categories } = service()
  const id = isId(text) ? toInt64(text) : undefined
  const parts: Promise<Partial<ShopResults>>[] = [
    Promise.all([
      id === undefined ? undefined : pets.find(id, { signal }),
      fill((part) => pets.list({ name: text, ...part }, { signal }).page(), signal),
    ]).then(([numbered, { items, ...more }]) => ({ animals: withFirst(numbered, items), ...more })),
  ]
  if (may('listOrders')) {
    const number = may('getOrder') ? orderNumberOf(text) : undefined
    parts.push(
      Promise.all([
        number === undefined ? undefined : orders.get(toInt64(number), { signal }).catch(ifNotFound),
        fill((part) => orders.list({ customer: text, ...part, sort: '-id' }, { signal }).page(), signal),
      ]).then(([numbered, { items, ...more }]) => ({ orders: withFirst(numbered, items), ...more })),
    )
  }
  if (may('listCategories')) {
    parts.push(
      fill((part) => categories.list({ name: text, ...part }, { signal }).page(), signal).then(
        ({ items, ...more }) => ({ categories: items, ...more }),
      ),
    )
  }
  const texts = parts.map((part) =>
    part
      .catch((error: unknown) => ({ error }))
      .then((result) => {
        if (!signal.aborted) onPart(result)
      }),
  )
  await Promise.all(texts)
}

async function fill<Item>(
  read: (part: Omit<Part, 'signal'>) => Promise<Page<Item>>,
  signal: AbortSignal,
): Promise<{ items: readonly Item[]; hasMore?: true }> {
  const { items, cursor } = await fillPage(({ signal: _either, ...part }) => read(part), { limit: maxEach, signal })
  return { items, ...(cursor !== undefined && { hasMore: true }) }
}

function ifNotFound(error: unknown): undefined {
  if (!isPetStoreError(error, 'not_found')) throw error
}

/** The results for a text, a moment after it was typed. Results for an earlier text are dropped. */
export function useShopSearch(text: string, may: May): ShopSearch {
  const [found, setFound] = useState<ShopResults & { text: string; isDone: boolean }>({
    ...none,
    text: '',
    isDone: true,
  })
  useEffect(() => {
    if (text === '') return
    const ending = new AbortController()
    const add = (part: object) =>
      setFound((before) => ({ ...(before.text === text ? before : none), text, isDone: false, ...part }))
    async function search(): Promise<void> {
      // Fails if the user has signed out meanwhile, and this box is about to close.
      await searchShop(text, may, ending.signal, add).catch((error: unknown) => add({ error }))
      if (!ending.signal.aborted) add({ isDone: true })
    }
    const timer = setTimeout(() => void search(), pauseMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text])
  if (text === '') return { ...none, isSearching: false }
  return found.text === text ? { ...found, isSearching: !found.isDone } : { ...none, isSearching: true }
}
