import type { ShopRequest } from './exchange.ts'
import { statuses } from './expect.ts'
import { mixed } from './mixed.ts'
import type { Shop } from './shop.ts'

/** More that are sold than a page with limit=100 may have, more of the others than one without a limit may have. */
const wantedPets = { '"sold"': 102, '"available"': 22, '"pending"': 22, '': 30 }
/** So many creates at the same time, and some reads beside them. */
const togetherCreates = 12

const all = '?limit=100'
/** The list of a status as two clients write it. */
const ofStatus = (status: string) => [`?limit=100&status=${status}`, `?status=${status}&limit=100`] as const
/** Lists that have room for all of the few animals. */
export const wholeQueries: readonly string[] = [all, ...statuses.flatMap(ofStatus)]

/** What new animals are made of. */
interface Bodies {
  bodyOf(members?: { categoryId?: string; status?: string }): Promise<string>
  richBodyOf(members?: { categoryId?: string; status?: string }): Promise<string>
  category(): Promise<{ isFree: boolean }>
}

/** Adds animals of each status together, while others read: the model judges whether the results fit. */
export async function addTogether(shop: Shop, stock: Bodies): Promise<void> {
  // Each burst has creates of several statuses.
  const wanted = Object.entries(wantedPets)
    .flatMap(([status, count]) => Array.from({ length: count }, (_, index) => ({ status, place: index / count })))
    .toSorted((one, other) => one.place - other.place)
  const { isFree } = await stock.category()
  for (let start = 0; start < wanted.length; start += togetherCreates) {
    const creates: ShopRequest[] = []
    for (const [index, { status }] of wanted.slice(start, start + togetherCreates).entries()) {
      const category = isFree ? { categoryId: categoryOf(start + index) } : {}
      creates.push({ method: 'POST', path: '/pets', body: await stock.richBodyOf({ status, ...category }) })
    }
    const known = shop.createdIds.size
    await shop.sendTogether(mixed(creates, await readsBeside(shop, stock)))
    // What was not added as it should be might not be found again, to be removed.
    if (shop.createdIds.size < known + creates.length) return
  }
}

/**
 * Adds two animals, each just after one list and just before another that must show it later: a shop may keep a list that
 * it makes meanwhile. The list before was not asked for since the last animal was added: the shop makes it anew. There are
 * no more than two, because a page must have room for all of the few animals.
 */
export async function addBesideLists(shop: Shop, stock: Bodies): Promise<void> {
  const list = (query: string): ShopRequest => ({ method: 'GET', path: `/pets${query}` })
  const [one, other] = ofStatus('sold')
  for (const [before, after] of [[one, all] as const, [other, one] as const]) {
    const body = await stock.richBodyOf({ status: '"sold"' })
    await shop.sendTogether([list(before), { method: 'POST', path: '/pets', body }, list(after)])
  }
}

/** Integers of both signs and of every length. */
function categoryOf(index: number): string {
  const size = (3n ** 39n) >> BigInt(index % 62)
  return String(index % 2 === 0 ? size : -size)
}

/** Requests whose responses must not mix with those of creates. */
async function readsBeside(shop: Shop, stock: Bodies): Promise<ShopRequest[]> {
  const ids = [...shop.createdIds]
  const queries = ['?limit=100', '?status=sold&limit=30', '?status=pending', '?limit=1&status=available']
  const paths = [...queries, ...[ids[0], ids.at(-2), ids.at(-1)].map((id) => `/${id}`)]
  const wrongKey = { authorization: `Bearer no-such-key-${shop.mark}` }
  return [
    ...paths.map((path) => ({ method: 'GET' as const, path: `/pets${path}` })),
    { method: 'GET', path: '/pets', ...wrongKey },
    { method: 'POST', path: '/pets', body: '{}' },
    { method: 'POST', path: '/pets', body: await stock.bodyOf({ categoryId: '"1"' }) },
    { method: 'POST', path: '/pets', body: await stock.bodyOf(), ...wrongKey },
  ]
}
