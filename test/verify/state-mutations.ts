import { bareKey, type BareRequest, type BareShop, error, json } from './bare-shop.ts'
import type { Mutation } from './mutations.ts'

// Shops that take an earlier request for a later one, and others with a cause that few requests have.

const isCreate = ({ method }: BareRequest) => method === 'POST'
const isList = ({ method, path }: BareRequest) => method === 'GET' && path === '/v1/pets'
const hasKey = ({ authorization }: BareRequest) => authorization === `Bearer ${bareKey}`
const nameIn = ({ body }: BareRequest) => /"name":"([^"]*)"/.exec(body)?.[1]

/** The header of the key is changed before it is compared. */
function readsKey(change: (authorization: string) => string): Mutation['handle'] {
  return (request, shop) =>
    shop.handle({
      ...request,
      ...(request.authorization !== undefined && { authorization: change(request.authorization) }),
    })
}

/** The body of a create is changed before it is read. */
function readsBody(change: (body: string) => string): Mutation['handle'] {
  return (request, shop) => shop.handle(isCreate(request) ? { ...request, body: change(request.body) } : request)
}

const seen = new WeakMap<BareShop, Map<string, ReturnType<BareShop['handle']>>>()
const seenBy = (shop: BareShop) => {
  const known = seen.get(shop) ?? new Map<string, ReturnType<BareShop['handle']>>()
  seen.set(shop, known)
  return known
}

/** Each bare shop is wrong in one way. */
export const stateMutations: readonly Mutation[] = [
  {
    name: 'a name that was refused is refused for good',
    handle(request, shop) {
      const name = isCreate(request) && hasKey(request) ? nameIn(request) : undefined
      const refused = name === undefined ? undefined : seenBy(shop).get(name)
      if (refused !== undefined) return refused
      const response = shop.handle(request)
      if (response.status === 400 && name !== undefined) seenBy(shop).set(name, response)
      return response
    },
  },
  {
    name: 'a body that was added is 201 to everybody who sends it',
    handle(request, shop) {
      const known = isCreate(request) && !hasKey(request) ? seenBy(shop).get(request.body) : undefined
      if (known !== undefined) return known
      const response = shop.handle(request)
      if (response.status === 201) seenBy(shop).set(request.body, response)
      return response
    },
  },
  {
    name: 'a semicolon at the end of the key does not count',
    handle: readsKey((authorization) => authorization.replace(/;$/, '')),
  },
  {
    name: 'the last key of a list counts',
    handle: readsKey((authorization) => authorization.split(', ').at(-1) ?? ''),
  },
  {
    name: 'the case of the first word of the key does not count',
    handle: readsKey((authorization) => authorization.replace(/^Bearer KEY/, 'Bearer key')),
  },
  {
    name: 'white space within the key does not count',
    handle: readsKey((authorization) =>
      authorization
        .replace(/^Bearer /, 'Bearer_')
        .replaceAll(' ', '')
        .replace('_', ' '),
    ),
  },
  {
    name: 'a list has the date of its first version for good',
    handle(request, shop) {
      const response = shop.handle(request)
      if (!isList(request) || response.status !== 200) return response
      const date = 'Thu, 19 Nov 2026 10:00:00 GMT'
      if (request.header?.('if-modified-since') === date) return { status: 304, type: '', body: '' }
      return { ...response, headers: { 'last-modified': date } }
    },
  },
  {
    name: 'an Error quotes a limit as it is',
    handle(request, shop) {
      const limit = isList(request) && hasKey(request) ? (request.query.get('limit') ?? '1') : '1'
      const isNumber = /^\d+$/.test(limit)
      return isNumber ? shop.handle(request) : json(400, `{"code":"x","message":"limit ${limit}","status":400}`)
    },
  },
  {
    name: 'a body that is large is 413 to who has no key',
    handle: (request, shop) =>
      isCreate(request) && !hasKey(request) && request.body.length > 5000
        ? error(413, 'too_large', 'The body is too large.')
        : shop.handle(request),
  },
  {
    name: 'the largest int64 may be a text',
    handle: readsBody((body) => body.replace('"9223372036854775807"', '9223372036854775807')),
  },
  {
    name: 'category_id stands for categoryId',
    handle: readsBody((body) =>
      body.replace('"category_id"', body.includes('"categoryId"') ? '"other"' : '"categoryId"'),
    ),
  },
  {
    name: 'a status may end with a slash',
    handle: readsBody((body) => body.replace('sold/"', 'sold"')),
  },
]
