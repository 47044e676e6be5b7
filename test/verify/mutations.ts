import {
  bareKey,
  type BarePet,
  type BareRequest,
  type BareResponse,
  type BareShop,
  encode,
  error,
  json,
} from './bare-shop.ts'

export interface Mutation {
  /** What is wrong. */
  name: string
  /** Responds in the place of the shop. */
  handle: (request: BareRequest, shop: BareShop) => BareResponse | Promise<BareResponse>
  /** The version segment of the base address. Default: /v1. */
  version?: string
  /** How many animals the shop has before. Default: 30. */
  pets?: number
  /** The time of the run. Default: before the removal of getPet. */
  now?: number
}

type Change = (response: BareResponse, request: BareRequest, shop: BareShop) => BareResponse

const isCreate = ({ method }: BareRequest) => method === 'POST'
const isList = ({ method, path }: BareRequest) => method === 'GET' && path === '/v1/pets'
const isGet = ({ method, path }: BareRequest) => method === 'GET' && path.startsWith('/v1/pets/')

/** The honest response, changed. */
function changed(change: Change): Mutation['handle'] {
  return (request, shop) => change(shop.handle(request), request, shop)
}

/** Creates are stored after `read` has made something of the body; undefined leaves the create as it is. */
function accepts(read: (value: Record<string, unknown>) => Partial<BarePet> | undefined): Mutation['handle'] {
  return (request, shop) => {
    const honest = shop.handle(request)
    if (!isCreate(request) || honest.status !== 400) return honest
    const value = parsed(request.body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return honest
    const pet = read(value)
    if (pet === undefined) return honest
    const { name = String(value['name']), categoryId = '1', status = value['status'] as string | undefined } = pet
    return json(201, encode(shop.add(name, categoryId, status)))
  }
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    return body === '' ? {} : (JSON.parse(body) as Record<string, unknown> | null)
  } catch {
    return null
  }
}

/** Requests pass as if they had the key. */
function withoutKey(isFree: (request: BareRequest) => boolean): Mutation['handle'] {
  return (request, shop) => shop.handle(isFree(request) ? { ...request, authorization: `Bearer ${bareKey}` } : request)
}

function ofStatus(status: number, change: (response: BareResponse) => BareResponse): Mutation['handle'] {
  return changed((response) => (response.status === status ? change(response) : response))
}

const withType = (type: string) => (response: BareResponse) => ({ ...response, type })
const withBody = (change: (body: string) => string) => (response: BareResponse) => ({
  ...response,
  body: change(response.body),
})
const isValid = (value: Record<string, unknown>, without: string) =>
  ['name', 'categoryId', 'status'].every(
    (member) =>
      member === without || (member === 'name' ? typeof value[member] === 'string' : value[member] !== undefined),
  )

/** Lists with other parameters than those of the request. */
function listsWith(change: (query: URLSearchParams) => void): Mutation['handle'] {
  return (request, shop) => {
    const query = new URLSearchParams(request.query)
    if (isList(request)) change(query)
    return shop.handle({ ...request, query })
  }
}

/** Each bare shop is wrong in one way. */
export const mutations: readonly Mutation[] = [
  { name: 'the base address ends in /v2', version: '/v2', handle: changed((response) => response) },
  {
    name: 'ids in lists are strings',
    handle: changed((response, request) =>
      isList(request) ? withBody((body) => body.replaceAll(/"id":(\d+)/g, '"id":"$1"'))(response) : response,
    ),
  },
  {
    name: 'lists have no names',
    handle: changed((response, request) =>
      isList(request) ? withBody((body) => body.replaceAll(/"name":"[^"]*",/g, ''))(response) : response,
    ),
  },
  {
    name: 'the category of a listed animal is a string',
    handle: changed((response, request) =>
      isList(request)
        ? withBody((body) => body.replaceAll(/"categoryId":(-?\d+)/g, '"categoryId":"$1"'))(response)
        : response,
    ),
  },
  {
    name: 'a list repeats its first animal',
    handle: changed((response, request, shop) =>
      isList(request) &&
      response.status === 200 &&
      shop.pets.length > 1 &&
      request.query.get('limit') === '100' &&
      !request.query.has('status')
        ? withBody((body) => body.replace(/\[(\{.*?\})/, '[$1,$1'))(response)
        : response,
    ),
  },
  {
    name: 'every animal gets the id 7',
    handle: (request, shop) => {
      if (isCreate(request)) shop.lastId = 6n
      return shop.handle(request)
    },
  },
  {
    name: 'integers are rounded to doubles',
    handle: changed((response, request, shop) => {
      for (const pet of shop.pets) pet.categoryId = String(BigInt.asIntN(64, BigInt(Number(pet.categoryId))))
      return isCreate(request) && response.status === 201 ? json(201, encode(shop.pets.at(-1) as BarePet)) : response
    }),
  },
  {
    name: 'negative categories are refused',
    handle: (request, shop) =>
      isCreate(request) && request.body.includes('"categoryId":-') && request.authorization === `Bearer ${bareKey}`
        ? error(400, 'invalid', 'categoryId must be positive.')
        : shop.handle(request),
  },
  {
    name: 'names lose what is not ASCII',
    handle: (request, shop) => shop.handle({ ...request, body: request.body.replaceAll(/[^\x20-\x7e]/g, '?') }),
  },
  {
    name: 'the Error of a 401 says 403',
    handle: ofStatus(
      401,
      withBody((body) => body.replace('401', '403')),
    ),
  },
  {
    name: 'the Error of a 404 says 200',
    handle: ofStatus(
      404,
      withBody((body) => body.replace('404', '200')),
    ),
  },
  {
    name: 'the Error of a 400 says 422',
    handle: ofStatus(
      400,
      withBody((body) => body.replace('400', '422')),
    ),
  },
  {
    name: 'lists are text/plain',
    handle: changed((response, request) =>
      isList(request) && response.status === 200 ? withType('text/plain')(response) : response,
    ),
  },
  { name: 'a 201 has no Content-Type', handle: ofStatus(201, withType('')) },
  {
    name: 'an animal is text/json',
    handle: changed((response, request) =>
      isGet(request) && response.status === 200 ? withType('text/json')(response) : response,
    ),
  },
  { name: 'a 401 is problem+json', handle: ofStatus(401, withType('application/problem+json')) },
  { name: 'a 404 is text/html', handle: ofStatus(404, withType('text/html')) },
  { name: 'a 400 is text/plain', handle: ofStatus(400, withType('text/plain; charset=utf-8')) },
  {
    name: 'a page has 25 animals by default',
    handle: listsWith((query) => {
      if (!query.has('limit')) query.set('limit', '25')
    }),
  },
  {
    name: 'a list is an object with items',
    handle: changed((response, request) =>
      isList(request) && response.status === 200 ? withBody((body) => `{"items":${body}}`)(response) : response,
    ),
  },
  {
    name: 'limit=1 returns two',
    handle: listsWith((query) => {
      if (query.get('limit') === '1') query.set('limit', '2')
    }),
  },
  { name: 'limit is ignored', handle: listsWith((query) => query.set('limit', '1000')) },
  {
    name: 'limit is ignored in a large shop',
    pets: 150,
    handle: listsWith((query) => query.set('limit', '1000')),
  },
  {
    name: 'limits below 20 are raised to 20',
    handle: listsWith((query) => {
      query.set('limit', String(Math.max(20, Number(query.get('limit') ?? 20))))
    }),
  },
  {
    name: 'limit=100 is refused',
    handle: (request, shop) =>
      isList(request) && request.query.get('limit') === '100' && request.authorization === `Bearer ${bareKey}`
        ? error(400, 'invalid', 'limit must be below 100.')
        : shop.handle(request),
  },
  { name: 'status is ignored', handle: listsWith((query) => query.delete('status')) },
  {
    name: 'escapes in a query are not decoded',
    handle: (request, shop) => {
      const query = new URLSearchParams(request.search?.replaceAll('%', '%25'))
      return isList(request) ? shop.handle({ ...request, query }) : shop.handle(request)
    },
  },
  {
    name: 'a query with escapes is refused',
    handle: (request, shop) => {
      const honest = shop.handle(request)
      const isRefused = honest.status === 200 && request.search?.includes('%')
      return isRefused === true ? error(400, 'invalid', 'limit and status must be plain.') : honest
    },
  },
  ...['?', '?limit=5&'].map((search) => ({
    name: `the query ${search} is a failure`,
    handle: changed((response, request) =>
      request.search === search && response.status === 200
        ? error(500, 'failure', 'A parameter has no name.')
        : response,
    ),
  })),
  {
    name: 'creates in chunks are not checked',
    handle: (request, shop) =>
      request.header?.('transfer-encoding') === 'chunked'
        ? accepts((value) => ({ name: String(value['name']) }))(request, shop)
        : shop.handle(request),
  },
  {
    name: 'status=sold also returns pending animals',
    handle: changed((response, request, shop) =>
      isList(request) && request.query.get('status') === 'sold' && response.status === 200
        ? json(
            200,
            `[${shop.pets
              .filter(({ status }) => status === 'sold' || status === 'pending')
              .slice(0, Number(request.query.get('limit') ?? 20))
              .map(encode)
              .join(',')}]`,
          )
        : response,
    ),
  },
  {
    name: 'status=available also returns animals without a status',
    handle: changed((response, request, shop) =>
      isList(request) && request.query.get('status') === 'available' && response.status === 200
        ? json(
            200,
            `[${shop.pets
              .filter(({ status }) => status === 'available' || status === undefined)
              .slice(0, Number(request.query.get('limit') ?? 20))
              .map(encode)
              .join(',')}]`,
          )
        : response,
    ),
  },
  {
    name: 'status=pending fails',
    handle: (request, shop) =>
      request.query.get('status') === 'pending' ? error(500, 'internal', 'Sorry.') : shop.handle(request),
  },
  {
    name: 'limit is ignored when there is a status',
    handle: listsWith((query) => {
      if (query.has('status')) query.set('limit', '1000')
    }),
  },
  {
    name: 'new animals are not listed',
    handle: changed((response, request) => (isList(request) && response.status === 200 ? json(200, '[]') : response)),
  },
  {
    name: 'no animal is pending in lists',
    handle: changed((response, request) =>
      isList(request) && request.query.get('status') === 'pending' && response.status === 200
        ? json(200, '[]')
        : response,
    ),
  },
  { name: 'a create is 200', handle: ofStatus(201, (response) => ({ ...response, status: 200 })) },
  {
    name: 'a 201 has only the id',
    handle: ofStatus(
      201,
      withBody((body) => body.replace(/,.*/, '}')),
    ),
  },
  {
    name: 'names are in capitals',
    handle: changed((response, request, shop) => {
      for (const pet of shop.pets) pet.name = pet.name.toUpperCase()
      return isCreate(request) && response.status === 201 ? json(201, encode(shop.pets.at(-1) as BarePet)) : response
    }),
  },
  {
    name: 'a status is required',
    handle: (request, shop) =>
      isCreate(request) && !request.body.includes('status') && request.authorization === `Bearer ${bareKey}`
        ? error(400, 'invalid', 'status is missing.')
        : shop.handle(request),
  },
  ...(['available', 'pending', 'sold'] as const).map((status) => ({
    name: `animals that are ${status} lose their status`,
    handle: changed((response, request, shop) => {
      for (const pet of shop.pets) if (pet.status === status) pet.status = undefined
      return isCreate(request) && response.status === 201 ? json(201, encode(shop.pets.at(-1) as BarePet)) : response
    }),
  })),
  {
    name: 'a name is not required',
    handle: accepts((value) =>
      value['name'] === undefined && value['categoryId'] !== undefined
        ? { name: '', categoryId: `${Number(value['categoryId'])}` }
        : undefined,
    ),
  },
  {
    name: 'a category is not required',
    handle: accepts((value) =>
      typeof value['name'] === 'string' && value['categoryId'] === undefined ? {} : undefined,
    ),
  },
  {
    name: 'an empty create is added',
    handle: accepts((value) => (Object.keys(value).length === 0 ? { name: '' } : undefined)),
  },
  {
    name: 'names of other types become strings',
    handle: accepts((value) =>
      value['name'] !== undefined && typeof value['name'] !== 'string' && isValid(value, 'name')
        ? { categoryId: String(value['categoryId']) }
        : undefined,
    ),
  },
  {
    name: 'a category may be a string',
    handle: accepts((value) => (value['categoryId'] === '1' ? { categoryId: '1' } : undefined)),
  },
  {
    name: 'a category may be a fraction',
    handle: accepts((value) => (value['categoryId'] === 1.5 ? { categoryId: '1' } : undefined)),
  },
  {
    name: 'categories beyond int64 wrap',
    handle: accepts((value) =>
      Math.abs(Number(value['categoryId'])) >= 2 ** 63 && isValid(value, 'categoryId')
        ? { categoryId: '-1' }
        : undefined,
    ),
  },
  {
    name: 'any status is taken',
    handle: accepts((value) => (isValid(value, 'status') && value['status'] === 'lost' ? {} : undefined)),
  },
  {
    name: 'no animal is found by its id',
    handle: changed((response, request) =>
      isGet(request) && response.status === 200 ? error(404, 'not_found', 'No animal has this id.') : response,
    ),
  },
  {
    name: 'an animal by its id is the next one',
    handle: changed((response, request, shop) =>
      isGet(request) && response.status === 200 ? json(200, encode(shop.pets[0] as BarePet)) : response,
    ),
  },
  { name: 'an unknown animal is 200 with null', handle: ofStatus(404, () => json(200, 'null')) },
  {
    name: 'lists need no key',
    handle: withoutKey((request) => isList(request) && request.authorization === undefined),
  },
  {
    name: 'creates need no key',
    handle: withoutKey((request) => isCreate(request) && request.authorization === undefined),
  },
  {
    name: 'animals by id need no key',
    handle: withoutKey((request) => isGet(request) && request.authorization === undefined),
  },
  {
    name: 'any key opens lists',
    handle: withoutKey((request) => isList(request) && /^Bearer \S/.test(request.authorization ?? '')),
  },
  {
    name: 'any key opens creates',
    handle: withoutKey((request) => isCreate(request) && /^Bearer \S/.test(request.authorization ?? '')),
  },
  {
    name: 'any key opens animals',
    handle: withoutKey((request) => isGet(request) && /^Bearer \S/.test(request.authorization ?? '')),
  },
  {
    name: 'an empty token is a key',
    handle: withoutKey((request) => /^Bearer ?$/.test(request.authorization ?? '')),
  },
  {
    name: 'any scheme will do',
    handle: withoutKey((request) => request.authorization?.endsWith(bareKey) === true),
  },
  {
    name: 'an unknown animal is 404 before 401',
    handle: changed((response, request, shop) =>
      isGet(request) && !shop.pets.some(({ id }) => request.path === `/v1/pets/${id}`)
        ? error(404, 'not_found', 'No animal has this id.')
        : response,
    ),
  },
  {
    name: 'an invalid create is 400 before 401',
    handle: changed((response, request) =>
      isCreate(request) && request.body === '{}' ? error(400, 'invalid', 'name is missing.') : response,
    ),
  },
  {
    name: 'orders need no key',
    handle: (request, shop) => (request.path === '/v1/store/orders' ? json(200, '[]') : shop.handle(request)),
  },
  {
    name: 'a 401 has no body',
    handle: ofStatus(
      401,
      withBody(() => ''),
    ),
  },
  {
    name: 'a 404 has no code',
    handle: ofStatus(
      404,
      withBody((body) => body.replace('"code"', '"error"')),
    ),
  },
  {
    name: 'a 400 has a list of messages',
    handle: ofStatus(
      400,
      withBody((body) => body.replace(/"message":("[^"]*")/, '"message":[$1]')),
    ),
  },
  {
    name: 'getPet works after 5 December 2030',
    now: Date.UTC(2030, 11, 5),
    handle: changed((response) => response),
  },
]
