import { type Pet, Skipped } from './expect.ts'
import { jsonOf } from './exchange.ts'
import { int64Of, member } from './json.ts'
import type { Shop } from './shop.ts'

/** Categories of the shop's own that are tried for new animals. */
const maxTriedCategories = 3

export interface Category {
  id: bigint
  /** Whether the shop takes any other, too. */
  isFree: boolean
}

/** What is needed of the stock. */
interface Names {
  newName(): string
  listed(): Promise<Pet[]>
}

/** See `Stock.category`. */
export async function findCategory(shop: Shop, stock: Names): Promise<Category> {
  const { markCategory, options } = shop
  if (options.category !== undefined) return { id: options.category, isFree: false }
  if (options.readOnly) return { id: markCategory, isFree: false }
  if (!(await isRefused(markCategory, shop, stock))) return { id: markCategory, isFree: true }
  const own = await listedCategories(shop, stock)
  for (const id of [...own, 1n]) if (!(await isRefused(id, shop, stock))) return { id, isFree: false }
  const [first] = own
  // The shop refuses what its own animals have: the checks of creates report that.
  if (first !== undefined) return { id: first, isFree: false }
  throw new Skipped('the shop refuses the category that was sent and shows none of its own: name one with --category')
}

async function isRefused(category: bigint, shop: Shop, stock: Names): Promise<boolean> {
  const made = await shop.create(`{"name":"${stock.newName()}","categoryId":${category}}`)
  // The only animal of a shop that was empty is still a list.
  for (const query of ['', '?limit=1', '?limit=100']) await shop.list(query)
  return made.response?.status === 400
}

/** Categories of animals, and those that a shop lists beyond the contract. */
async function listedCategories(shop: Shop, stock: Names): Promise<bigint[]> {
  const ids = (await stock.listed()).map((pet) => pet.categoryId)
  const { response } = await shop.send({ method: 'GET', path: '/categories' })
  const list = response?.status === 200 ? jsonOf(response) : undefined
  if (Array.isArray(list)) ids.push(...list.map((one) => int64Of(member(one, 'id'))).filter((id) => id !== undefined))
  return [...new Set(ids)].slice(0, maxTriedCategories)
}
