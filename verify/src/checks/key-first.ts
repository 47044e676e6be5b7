import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { isServerRefusal, type ShopRequest } from '../shop/exchange.ts'
import { expectError, expectJsonType } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { operationNames, operations, refuseAll } from './authentication.ts'
import { isBeforeRemoval } from './removal.ts'
import { oddKeys, otherSpellingsOfBearer } from './wrong-keys.ts'

// What else is wrong with a request without the key does not matter: section 5 has no exception.

/** Integers of 64 bits of every length and both signs, and parameters that the operation does not have. */
function petIds(id: bigint): string[] {
  const digits = '9123456789012345678'
  const numbers = Array.from(digits, (_, index) => digits.slice(0, index + 1))
  const bounds = ['0', '9223372036854775807', '-9223372036854775808', '2147483648', '9007199254740993']
  return [...bounds, ...numbers.flatMap((one) => [one, `-${one}`]), `${id}?x=1`, `${id}?limit=0`, '-1?status=lost']
}

/** What is no integer of 64 bits: the contract does not say that such a path is an operation. */
export function otherPetIds(id: bigint): string[] {
  const escaped = String(id).replaceAll(/\d/g, '%3$&')
  const numbers = ['007', '+1', '9223372036854775808', '9'.repeat(40), '1.5', '1e3']
  const words = ['abc', 'a-b_c', 'null', 'undefined', `${id}abc`, 'import', 'x'.repeat(300)]
  return [...numbers, ...words, escaped, '%2D1', '%61bc', '%20']
}

const listQueries = [
  ...['0', '101', '-1', 'abc', '', '1.5', '99999999999999999999', '5&limit=6'].map((limit) => `?limit=${limit}`),
  ...['lost', '', 'SOLD', 'sold,pending', 'sold&status=pending'].map((status) => `?status=${status}`),
  '?limit=0&status=lost',
  // Names with brackets, escaped: some servers refuse those that are not.
  '?limit%5B%5D=5',
  '?status%5Ba%5D=sold',
  '?x=1',
  '?',
]

const createBodies = [
  ['null', '"Rex"', '1', '[{}]', '{"name":null,"categoryId":"x"}', '{"name":"Rex","categoryId":1e400}'],
  ['{"name":"Rex","categoryId":1,"status":"lost"}', '{"name":"Rex"}x', '\ufeff{}', 'name=Rex&categoryId=1'],
].flat()
const mediaTypes = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=x']
/** More than a server reads at once. */
const largeBodyLength = 6000
const createQueries = ['?limit=0', '?status=lost', '?name=Rex&categoryId=1']

async function requestsOf({ shop, stock }: Subject): Promise<ShopRequest[]> {
  // Whether the shop knows the category does not matter: the key comes first.
  const body = await stock.bodyOf({ categoryId: String(shop.markCategory) })
  const create = { method: 'POST', path: '/pets', body } as const
  return [
    ...listQueries.map((query) => ({ method: 'GET' as const, path: `/pets${query}` })),
    ...createBodies.map((one) => ({ ...create, body: one })),
    ...mediaTypes.map((contentType) => ({ ...create, contentType })),
    { ...create, body: `${body}${' '.repeat(largeBodyLength)}` },
    ...createQueries.map((query) => ({ ...create, path: `/pets${query}` })),
  ]
}

/** Each without a key, every second one with a wrong key too. */
export async function expectKeyFirst({ shop }: Subject, requests: readonly ShopRequest[]): Promise<void> {
  const all = requests.flatMap((request, index) =>
    [null, ...(index % 2 === 0 ? [] : [`Bearer no-such-key-${shop.mark}`])].map((authorization) => ({
      ...request,
      authorization,
    })),
  )
  for await (const exchange of shop.sendAll(all)) {
    expectError(exchange, 401)
    expectJsonType(exchange)
  }
}

export const keyFirstChecks: readonly Check[] = [
  writes('C-5-16', {
    name: 'a wrong key is 401, however the word Bearer and the space behind it are written',
    sentence: says.unauthorized,
    conclusion: 'A wrong key is invalid, whatever the scheme before it looks like.',
    turn: 'last',
    async run(subject) {
      const { key } = subject.shop.options
      for (const operation of operationNames)
        await refuseAll(subject, operation, otherSpellingsOfBearer(key, subject.shop.mark))
    },
  }),
  reads('C-5-17', {
    name: 'without the key, the address of an animal is 401, whichever int64 its id is',
    sentence: says.unauthorized,
    conclusion: 'The sentence has no exception: the key comes before the animal.',
    isDue: isBeforeRemoval,
    turn: 'last',
    async run(subject) {
      if (!isBeforeRemoval(subject.shop.options.clock())) return
      const ids = petIds((await subject.stock.aPet()).id)
      await expectKeyFirst(
        subject,
        ids.map((id) => ({ method: 'GET', path: `/pets/${id}` })),
      )
    },
  }),
  writes('C-5-18', {
    name: 'without the key, a list and a create are 401, whatever else is wrong with them',
    sentence: says.unauthorized,
    conclusion: 'The sentence has no exception: the key comes before parameters and bodies.',
    turn: 'last',
    async run(subject) {
      await expectKeyFirst(subject, await requestsOf(subject))
    },
  }),
  writes('C-5-19', {
    name: 'a wrong key of characters that keys seldom have is 401, unless the server refuses them: 400',
    sentence: says.unauthorized,
    conclusion: 'A key of other characters is invalid. A server may refuse them as HTTP before the service sees them.',
    turn: 'last',
    async run(subject) {
      const refused: ShopRequest[] = []
      for (const operation of operationNames)
        for (const [index, authorization] of oddKeys(subject.shop.options.key).entries()) {
          const requests = await operations[operation](subject)
          const request = requests[index % Math.max(1, requests.length)]
          if (request !== undefined) refused.push({ ...request, authorization, serverMayRefuse: true })
        }
      for await (const exchange of subject.shop.sendAll(refused)) {
        if (isServerRefusal(exchange)) continue
        expectError(exchange, 401)
        expectJsonType(exchange)
      }
    },
  }),
]
