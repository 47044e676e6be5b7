import { createHash } from 'node:crypto'
import { type BareRequest, type BareShop, bareKey, encode, error, json } from './bare-shop.ts'
import type { Mutation } from './mutations.ts'

// Shops that are right for most clients: wrong beside a header, after a request, or for a combination of values.

const isCreate = ({ method }: BareRequest) => method === 'POST'
const isList = ({ method, path }: BareRequest) => method === 'GET' && path === '/v1/pets'
const isGet = ({ method, path }: BareRequest) => method === 'GET' && path.startsWith('/v1/pets/')
const hasKey = ({ authorization }: BareRequest) => authorization === `Bearer ${bareKey}`
const authorization = `Bearer ${bareKey}`
const failure = error(500, 'internal', 'No.')

/** With the key, another response to some requests. */
function instead(isOne: (request: BareRequest, shop: BareShop) => boolean, response = failure): Mutation['handle'] {
  return (request, shop) => (hasKey(request) && isOne(request, shop) ? response : shop.handle(request))
}

/** The body of a create is changed before it is read. */
function reads(change: (body: string, request: BareRequest) => string): Mutation['handle'] {
  return (request, shop) =>
    shop.handle(isCreate(request) ? { ...request, body: change(request.body, request) } : request)
}

const counts = new WeakMap<BareShop, number>()
const afterOther = new WeakSet<BareShop>()
const tags = new WeakMap<BareShop, string>()

/** Each bare shop is wrong in one way. */
export const conditionMutations: readonly Mutation[] = [
  {
    name: 'a list with any condition is not modified',
    handle: instead((request) => isList(request) && request.header?.('if-none-match') !== undefined, {
      status: 304,
      type: '',
      body: '',
    }),
  },
  {
    name: 'the cookie of the shop opens it',
    handle(request, shop) {
      const isKnown = request.header?.('cookie')?.includes('shop=17') === true
      const response = shop.handle(isKnown ? { ...request, authorization } : request)
      return { ...response, headers: { 'set-cookie': 'shop=17; Path=/' } }
    },
  },
  {
    name: 'a list keeps its ETag when an animal is added',
    handle(request, shop) {
      const response = shop.handle(request)
      if (!isList(request) || response.status !== 200) return response
      const tag = tags.get(shop) ?? '"1"'
      tags.set(shop, tag)
      const isSame = request.header?.('if-none-match') === tag
      return isSame ? { status: 304, type: '', body: '' } : { ...response, headers: { etag: tag } }
    },
  },
  {
    name: 'a create after an unknown path is 500',
    handle(request, shop) {
      const isAfter = afterOther.has(shop)
      if (/^\/v1\/pets(?:\/|$)/.test(request.path)) afterOther.delete(shop)
      else afterOther.add(shop)
      return isAfter && isCreate(request) && hasKey(request) ? failure : shop.handle(request)
    },
  },
  {
    name: 'the ninth animal in a row that is not found is a failure',
    handle(request, shop) {
      const response = shop.handle(request)
      const count = response.status === 404 && isGet(request) ? (counts.get(shop) ?? 0) + 1 : 0
      counts.set(shop, count)
      return count === 9 && request.path.length > 20 ? failure : response
    },
  },
  {
    name: 'category 0 is refused without a status',
    handle: instead(({ body }) => body.includes('"categoryId":0}'), error(400, 'invalid', 'categoryId is missing.')),
  },
  {
    name: 'a member that is an object is a failure',
    handle: instead(({ body }) => body.includes('"extra":{')),
  },
  {
    name: 'another header for the key counts before Authorization',
    handle(request, shop) {
      const other = request.header?.('x-api-key')
      const isOther = other !== undefined && request.authorization !== undefined
      return shop.handle(isOther ? { ...request, authorization: `Bearer ${other}` } : request)
    },
  },
  {
    name: 'errors are problem+json for who takes that',
    handle(request, shop) {
      const response = shop.handle(request)
      const isProblem = response.status >= 400 && request.accept?.includes('problem+json') === true
      return isProblem ? { ...response, type: 'application/problem+json' } : response
    },
  },
  {
    name: 'a list with a media type is read as a body',
    handle: instead((request) => isList(request) && request.contentType !== undefined, error(400, 'json', 'No JSON.')),
  },
  {
    name: 'the name of a create with a charset may be missing',
    handle: reads((body, { contentType }) =>
      contentType?.includes('charset') === true && !body.includes('"name"') ? body.replace('{', '{"name":"",') : body,
    ),
  },
  {
    name: 'a name that is a date comes back as a time',
    handle: reads((body) => body.replace(/"name":"(\d{4}-\d\d-\d\d)"/, '"name":"$1T00:00:00Z"')),
  },
  {
    name: 'escapes of a character beyond the first plane are lost',
    handle: reads((body) => body.replaceAll(/\\ud8[0-9a-f]{2}\\ud[c-f][0-9a-f]{2}(?! )/g, '?')),
  },
  {
    name: 'a body that is nested deeper than 500 is a failure',
    handle: instead(({ body }) => body.includes('['.repeat(501))),
  },
  {
    name: 'a body is read up to 4096 characters',
    handle: reads((body) => (body.trim().length < 4000 ? body.slice(0, 4096) : body)),
  },
  {
    name: 'the hash of the key is a key',
    handle(request, shop) {
      const hash = createHash('sha256').update(bareKey).digest('hex')
      return shop.handle(request.authorization === `Bearer ${hash}` ? { ...request, authorization } : request)
    },
  },
  {
    name: 'an animal is found by its category, too',
    handle(request, shop) {
      const response = shop.handle(request)
      const pet = shop.pets.find(({ categoryId }) => request.path === `/v1/pets/${categoryId}`)
      return isGet(request) && response.status === 404 && pet !== undefined ? json(200, encode(pet)) : response
    },
  },
  {
    name: 'a category that a double cannot hold may be a text',
    handle: reads((body) => body.replace('"9007199254740993"', '9007199254740993')),
  },
  {
    name: 'the message of an error quotes a text as it is',
    handle(request, shop) {
      const response = shop.handle(request)
      const text = /"status":"(.*)"\}$/s.exec(request.body)?.[1]
      const isQuoted = response.status === 400 && text?.includes('%s') === true
      return isQuoted ? { ...response, body: response.body.replace('status must', `"${text}" must`) } : response
    },
  },
  {
    name: 'names are in Latin-1 for who speaks French',
    handle(request, shop) {
      const response = shop.handle(request)
      if (request.acceptLanguage !== 'fr-FR') return response
      return { ...response, body: response.body.replaceAll(/[\u0100-\uffff]/g, '?') }
    },
  },
]
