import type { Exchange } from './exchange.ts'
import { int64Of, type Json, member } from './json.ts'
import { itemsOf, maxPages } from './pages.ts'
import type { Shop } from './shop.ts'

/** What this run made beside animals. Everything of it has the mark of the run. */
interface Remains {
  /** Orders cannot be removed. */
  orders: string[]
  /** Keys cannot be removed. */
  keys: string[]
  notes: string[]
}

type Watch = (exchange: Exchange) => Exchange

/** Cancels the open orders of this run: an animal with one cannot be removed. Returns the ids of all of them. */
export async function closeOrders(shop: Shop, watch: Watch): Promise<string[]> {
  if (!shop.others.has('store/orders')) return []
  const path = `/store/orders?limit=100&customer=${shop.mark}`
  const ids: string[] = []
  for (const order of await marked(shop, path, 'customer', watch)) {
    ids.push(idOf(order))
    if (member(order, 'status') === 'placed') await cancel(shop, idOf(order), watch)
  }
  return ids
}

/** Cancels the open orders of an animal of this run, whoever they say they are for. Returns their ids. */
export async function closeOrdersOf(shop: Shop, petId: bigint, watch: Watch): Promise<string[]> {
  const ids: string[] = []
  for await (const order of itemsOf(shop, `/store/orders?status=placed&petId=${petId}`, { maxPages: 1, watch })) {
    if (int64Of(member(order, 'petId')) !== petId) continue
    ids.push(idOf(order))
    await cancel(shop, idOf(order), watch)
  }
  return ids
}

async function cancel(shop: Shop, orderId: string, watch: Watch): Promise<void> {
  watch(await shop.send({ method: 'PATCH', path: `/store/orders/${orderId}`, body: '{"status":"cancelled"}' }))
}

const removable = [
  { room: 'categories', query: (mark: string) => `?limit=100&name=${mark}`, marked: 'name', word: 'category' },
  // Before the keys: one of them may become a key.
  { room: 'invitations', query: () => '?limit=100', marked: 'name', word: 'invitation' },
  { room: 'webhooks', query: () => '?limit=100', marked: 'description', word: 'webhook' },
]

/** Removes the categories, invitations and webhooks of this run and revokes its keys. */
export async function removeOthers(shop: Shop, watch: Watch): Promise<Omit<Remains, 'orders'>> {
  const remains = { keys: [] as string[], notes: [] as string[] }
  for (const { room, query, marked: name, word } of removable) {
    if (!shop.others.has(room)) continue
    for (const item of await marked(shop, `/${room}${query(shop.mark)}`, name, watch)) {
      const gone = watch(await shop.send({ method: 'DELETE', path: `/${room}/${idOf(item)}` }))
      if (gone.response?.status !== 204) remains.notes.push(`Still in the shop: the ${word} ${idOf(item)}.`)
    }
  }
  if (shop.others.has('keys'))
    for (const key of await marked(shop, '/keys', 'name', watch)) {
      remains.keys.push(idOf(key))
      if (member(key, 'state') !== 'active') continue
      const revoked = watch(await shop.send({ method: 'POST', path: `/keys/${idOf(key)}/revoke` }))
      if (revoked.response?.status !== 200) remains.notes.push(`The key ${idOf(key)} could not be revoked.`)
    }
  return remains
}

/** What has the mark in a member. Another's thing that a filter returns by mistake has not. */
async function marked(shop: Shop, path: string, name: string, watch: Watch): Promise<Json[]> {
  const found: Json[] = []
  for await (const item of itemsOf(shop, path, { maxPages, watch })) {
    const text = member(item, name)
    if (typeof text === 'string' && text.includes(shop.mark) && /^[\w-]+$/.test(idOf(item))) found.push(item)
  }
  return found
}

function idOf(item: Json): string {
  const id = member(item, 'id')
  return typeof id === 'string' ? id : String(int64Of(id) ?? '')
}
