import type { Subject } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { isBeforeRemoval, unknownId } from './removal.ts'

/** Requests of one operation that get responses of one kind. */
export interface RequestKind {
  /** Of its response. */
  status: number
  /** A create has a body of its own each time: it must not be taken for another. */
  next: () => Promise<ShopRequest>
}

const queries = ['', '?limit=3', '?status=sold&limit=30', '?limit=40&status=pending', '?status=available']

/** Each operation with each outcome that the contract has for it, several times where an outcome has several causes. */
export async function requestKinds({ shop, stock }: Subject): Promise<RequestKind[]> {
  const wrongKey = { authorization: `Bearer no-such-key-${shop.mark}` }
  const list = (query: string): ShopRequest => ({ method: 'GET', path: `/pets${query}` })
  const get = (id: bigint | string): ShopRequest => ({ method: 'GET', path: `/pets/${id}` })
  const create = (body: string): ShopRequest => ({ method: 'POST', path: '/pets', body })
  const fixed = (status: number, request: ShopRequest): RequestKind => ({ status, next: async () => request })
  const creating = (
    status: number,
    members: Parameters<typeof stock.bodyOf>[0],
    other: Partial<ShopRequest> = {},
  ): RequestKind => ({ status, next: async () => ({ ...create(await stock.richBodyOf(members)), ...other }) })

  const ids = [(await stock.aSettledPet()).id, [...shop.createdIds][2]].filter((id) => id !== undefined)
  const byId = [
    ...ids.map((id) => fixed(200, get(id))),
    fixed(404, get(unknownId)),
    fixed(401, { ...get(ids[0] as bigint), authorization: null }),
    fixed(401, { ...get(unknownId), ...wrongKey }),
  ]
  return [
    ...queries.map((query) => fixed(200, list(query))),
    fixed(401, { ...list('?limit=3'), authorization: null }),
    fixed(401, { ...list(''), ...wrongKey }),
    creating(201, { status: '' }),
    creating(201, { status: '"available"' }),
    creating(400, { name: '' }),
    creating(400, { categoryId: '"1"' }),
    creating(400, { status: '"lost"' }),
    fixed(400, create('{"name":')),
    creating(401, {}, { authorization: null }),
    creating(401, { name: '12345' }, wrongKey),
    ...(isBeforeRemoval(shop.options.clock()) ? byId : []),
  ]
}

/** The first of each method, path and status, so that a check can send each after many other things. */
export async function fewRequestKinds(subject: Subject): Promise<RequestKind[]> {
  const seen = new Set<string>()
  const chosen: RequestKind[] = []
  for (const kind of await requestKinds(subject)) {
    const { method, path } = await kind.next()
    const what = `${method} ${path.startsWith('/pets/') ? 'one' : 'all'} ${kind.status}`
    if (seen.has(what)) continue
    seen.add(what)
    chosen.push(kind)
  }
  return chosen
}
