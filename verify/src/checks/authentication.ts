import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, jsonOf, type ShopRequest } from '../shop/exchange.ts'
import { expectStatus, fail, hasJsonType, readPet } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { isBeforeRemoval, unknownId } from './removal.ts'
import { keyPlaces, otherSchemes, wrongKeys } from './wrong-keys.ts'

const limits = ['', 'limit=5', 'limit=100', 'limit=1', 'limit=20', 'limit=21', 'limit=51']
/** Every few limits with every status and without one. */
const listQueries = ['', 'status=sold', 'status=available', 'status=pending'].flatMap((status) =>
  limits.map((limit) => `?${[status, limit].filter((part) => part !== '').join('&')}`.replace(/^\?$/, '')),
)

type RequestsOf = (subject: Subject) => Promise<ShopRequest[]>

/** The requests of each operation. A check of keys that knows one of them does not know the others. */
export const operations: Record<'listPets' | 'createPet' | 'getPet', RequestsOf> = {
  listPets: async () => listQueries.map((query) => ({ method: 'GET', path: `/pets${query}` })),
  // Whether the shop knows the category does not matter: the key comes first.
  createPet: async ({ shop, stock }) => {
    const categoryId = String(shop.markCategory)
    const valid = (status: string) => stock.bodyOf({ categoryId, status })
    const invalid = ['', '{', '[]', '{"name":5}']
    const bodies = [await valid('"available"'), '{}', await valid('"sold"'), await valid('"pending"'), await valid('')]
    return [...bodies, ...invalid].map((body) => ({ method: 'POST', path: '/pets', body }))
  },
  getPet: async (subject) => {
    if (!isBeforeRemoval(subject.shop.options.clock())) return []
    const { id } = await subject.stock.aPet()
    return [id, unknownId, 1n, id + 1n].map((one) => ({ method: 'GET', path: `/pets/${one}` }))
  },
}
export const operationNames = Object.keys(operations) as (keyof typeof operations)[]

async function expectUnauthorized({ shop }: Subject, request: ShopRequest): Promise<void> {
  expectStatus(await shop.send(request), 401)
}

function kindOf(operation: string): typeof reads {
  return operation === 'createPet' ? writes : reads
}

/** Other spellings of the addresses of a list and of an animal. A shop may know them, but not without a key. */
function otherSpellings(id: bigint): string[] {
  const escaped = String(id).replaceAll(/\d/g, '%3$&')
  const lists = ['/%70ets', '/pets/', '//pets', '/Pets', '/pets;x=1', '/pets.json', '/pets%2F', '/pets?%6cimit=5']
  return [...lists, `/pets/${escaped}`, `/%70ets/${id}`, `/pets/${id}/`, `//pets/${id}`, `/pets/${id}?x=%31`]
}

/** A shop may have a web page at every address that is not of the contract. */
function hasJson({ response }: Exchange): boolean {
  return response !== undefined && response.status < 300 && hasJsonType(response)
}

function showsAnimals({ response }: Exchange): boolean {
  const value = response === undefined || response.status >= 300 ? undefined : jsonOf(response)
  return (Array.isArray(value) ? value : [value]).some((one) => readPet(one) !== undefined)
}

/** Each operation with each of these credentials; with the first of them in all forms of its requests. */
export async function refuseAll(
  subject: Subject,
  operation: keyof typeof operations,
  credentials: readonly (string | null)[],
) {
  const all: ShopRequest[] = []
  for (const [index, authorization] of credentials.entries()) {
    const requests = await operations[operation](subject)
    const chosen = index === 0 ? requests : requests.slice(index % requests.length, (index % requests.length) + 1)
    all.push(...chosen.map((request) => ({ ...request, authorization })))
  }
  for await (const exchange of subject.shop.sendAll(all)) expectStatus(exchange, 401)
}

function checksOf(
  first: number,
  what: string,
  credentialsOf: (subject: Subject) => readonly (string | null)[],
): Check[] {
  return operationNames.map((operation, index) =>
    kindOf(operation)(`C-5-${first + index}`, {
      name: `${operation} ${what} is 401`,
      sentence: says.unauthorized,
      ...(operation === 'getPet' && { isDue: isBeforeRemoval }),
      turn: 'refused',
      run: (subject) => refuseAll(subject, operation, credentialsOf(subject)),
    }),
  )
}

export const authenticationChecks: readonly Check[] = [
  ...checksOf(1, 'without a key', () => [null]),
  ...checksOf(4, 'with an invalid key', ({ shop }) => wrongKeys(shop.options.key, shop.mark)),
  writes('C-5-7', {
    name: 'an empty bearer token is 401',
    sentence: says.unauthorized,
    conclusion: 'A token that is empty is no key.',
    async run(subject) {
      for (const operation of operationNames) await refuseAll(subject, operation, ['Bearer '])
    },
  }),
  writes('C-5-8', {
    name: 'the key without the word Bearer, or in another scheme, is 401',
    sentence: says.bearer,
    conclusion: 'In another scheme, or in none, the key is no bearer token.',
    turn: 'refused',
    async run(subject) {
      for (const operation of operationNames)
        await refuseAll(subject, operation, otherSchemes(subject.shop.options.key))
    },
  }),
  reads('C-5-9', {
    name: 'without a key, an unknown animal is 401 as well',
    sentence: says.unauthorized,
    conclusion: 'The sentence has no exception: the key comes first.',
    isDue: isBeforeRemoval,
    run: (subject) => expectUnauthorized(subject, { method: 'GET', path: `/pets/${unknownId}`, authorization: null }),
  }),
  writes('C-5-10', {
    name: 'without a key, an invalid create is 401 as well',
    sentence: says.unauthorized,
    conclusion: 'The sentence has no exception: the key comes first.',
    run: (subject) => expectUnauthorized(subject, { method: 'POST', path: '/pets', body: '{}', authorization: null }),
  }),
  reads('C-5-11', {
    name: 'the orders, if the shop has them, are 401 without a key',
    sentence: says.bearer,
    conclusion: 'The orders are an operation of the same service (section 4.4).',
    async run({ shop }) {
      const request = { method: 'GET', path: '/store/orders' } as const
      const isServed = hasJson(await shop.send(request))
      const without = await shop.send({ ...request, authorization: null })
      if (isServed) expectStatus(without, 401)
      else if (hasJson(without)) fail(without, 'no orders without a key')
    },
  }),
  reads('C-5-12', {
    name: 'the key that was given is accepted by every operation, every time',
    sentence: says.header,
    conclusion: 'A request with the key in this form has a valid key, each time.',
    unjudged: 'no request with the key was answered',
    async run({ shop }) {
      await shop.list()
    },
  }),
  writes('C-5-13', {
    name: 'the key in the address, in another header, in a cookie or in the body is 401',
    sentence: says.header,
    conclusion: 'In another place it is not sent, so it is missing.',
    turn: 'refused',
    async run(subject) {
      const refused: ShopRequest[] = []
      for (const [index, { query, headers = {} }] of keyPlaces(subject.shop.options.key).entries()) {
        const all = await Promise.all(operationNames.map((operation) => operations[operation](subject)))
        for (const requests of all) {
          const request = requests[index % Math.max(1, requests.length)]
          if (request === undefined) continue
          const mark = request.path.includes('?') ? '&' : '?'
          const path = query === undefined ? request.path : `${request.path}${mark}${query}`
          refused.push({ ...request, path, authorization: null, headers })
        }
      }
      for await (const exchange of subject.shop.sendAll(refused)) expectStatus(exchange, 401)
      const { shop, stock } = subject
      for (const name of ['apiKey', 'api_key', 'key', 'token', 'access_token', 'authorization']) {
        const body = (await stock.bodyOf()).replace('{', `{"${name}":${JSON.stringify(shop.options.key)},`)
        await expectUnauthorized(subject, { method: 'POST', path: '/pets', body, authorization: null })
      }
    },
  }),
  reads('C-5-14', {
    name: 'no other spelling of an address gives animals without the key',
    sentence: says.bearer,
    conclusion: 'An operation stays one, however its address is spelled.',
    async run({ shop, stock }) {
      const { id } = await stock.aPet()
      for (const path of otherSpellings(id)) {
        for (const authorization of [null, `Bearer no-such-key-${shop.mark}`]) {
          const exchange = await shop.send({ method: 'GET', path, authorization })
          if (showsAnimals(exchange)) fail(exchange, 'no animals')
        }
      }
    },
  }),
  writes('C-5-15', {
    name: 'right after a request with the key, one without it is 401',
    sentence: says.unauthorized,
    conclusion: 'The key of an earlier request is not that of the next.',
    async run(subject) {
      const { shop } = subject
      const others = [null, `Bearer no-such-key-${shop.mark}`]
      for (const operation of operationNames) {
        const requests = await operations[operation](subject)
        const every = { listPets: 4, createPet: requests.length, getPet: 1 }[operation]
        for (const request of requests.filter((_, index) => index % every === 0)) {
          await shop.send(request)
          // A create of its own: it must not be taken for the one before.
          const body = request.body === undefined ? {} : { body: await subject.stock.bodyOf() }
          for (const authorization of others) await expectUnauthorized(subject, { ...request, ...body, authorization })
        }
      }
    },
  }),
]
