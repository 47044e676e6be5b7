import { ask } from './api.js'
import { isInt64 } from './rules.js'
import { createStore, useStore } from './store.js'

const mostPages = 5

/** Names of categories by the digits of their ids, as far as there are names; the first 500. */
const categories = createStore(new Map())

export function useCategories() {
  return useStore(categories)
}

export function categoryNames() {
  return categories.get()
}

let loading = Promise.resolve()

/** Reads the names. Without them categories are shown by their numbers, so a failure is nobody's concern. */
export function loadCategories() {
  loading = readNames().catch(() => undefined)
  return loading
}

/** Resolves once the names are there, or are known not to come. */
export function categoriesReady() {
  return loading
}

async function readNames() {
  const names = new Map()
  let address = '/v1/categories?limit=100'
  for (let page = 0; page < mostPages && address !== undefined; page++) {
    const { body, headers } = await ask(address)
    for (const { id, name } of body) names.set(String(id), name)
    const cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
    address = cursor === undefined ? undefined : `/v1/categories?limit=100&cursor=${cursor}`
  }
  categories.set(names)
}

export async function nameCategory(id, name) {
  await ask(`/v1/categories/${id}`, { method: 'PUT', body: JSON.stringify({ name }) })
  await loadCategories()
}

export function forgetCategories() {
  categories.set(new Map())
}

/** The digits of the category that was meant: a number, or a name as it is written or nearly so; else the text itself. */
export function categoryMeant(text) {
  const asked = text.trim()
  if (isInt64(asked)) return asked
  const folded = asked.toLocaleLowerCase()
  const found = [...categories.get()].find(([, name]) => name.toLocaleLowerCase() === folded)
  return found === undefined ? asked : found[0]
}

/** How a category is called where there is room for one word. */
export function categoryLabel(names, id) {
  return names.get(String(id)) ?? `Category ${id}`
}
