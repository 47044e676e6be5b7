import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectStatus, Skipped } from '../shop/expect.ts'
import { skipAfterRemoval, unknownId } from './removal.ts'

const sentence = 'When the key is missing or invalid, the service answers 401 with an Error body.'
const operations = {
  listPets: async () => ({ method: 'GET', path: '/pets' }),
  createPet: async ({ shop, stock }) => ({
    method: 'POST',
    path: '/pets',
    // Whether the shop knows the category does not matter: the key comes first.
    body: await stock.bodyOf({ categoryId: String(shop.markCategory) }),
  }),
  getPet: async (subject) => {
    skipAfterRemoval(subject)
    return { method: 'GET', path: `/pets/${(await subject.stock.anyPet()).id}` }
  },
} satisfies Record<string, (subject: Subject) => Promise<ShopRequest>>

async function expectUnauthorized({ shop }: Subject, request: ShopRequest): Promise<void> {
  expectStatus(await shop.send(request), 401)
}

function checksOf(first: number, what: string, authorizationOf: (subject: Subject) => string | null): Check[] {
  return Object.entries(operations).map(([operation, requestOf], index) => {
    const kind = operation === 'createPet' ? writes : reads
    return kind(`C-5-${first + index}`, {
      name: `${operation} ${what} is 401`,
      sentence,
      async run(subject) {
        await expectUnauthorized(subject, {
          ...(await requestOf(subject)),
          authorization: authorizationOf(subject),
        })
      },
    })
  })
}

export const authenticationChecks: readonly Check[] = [
  ...checksOf(1, 'without a key', () => null),
  ...checksOf(4, 'with an unknown key', ({ shop }) => `Bearer no-such-key-${shop.mark}`),
  reads('C-5-7', {
    name: 'an empty bearer token is 401',
    sentence,
    run: (subject) => expectUnauthorized(subject, { method: 'GET', path: '/pets', authorization: 'Bearer ' }),
  }),
  reads('C-5-8', {
    name: 'the key without the word Bearer, or in another scheme, is 401',
    sentence: 'Every operation requires HTTP bearer authentication.',
    async run(subject) {
      const { key } = subject.shop.options
      for (const authorization of [key, `Basic ${key}`])
        await expectUnauthorized(subject, { method: 'GET', path: '/pets', authorization })
    },
  }),
  reads('C-5-9', {
    name: 'without a key, an unknown animal is 401 as well',
    sentence,
    async run(subject) {
      skipAfterRemoval(subject)
      await expectUnauthorized(subject, { method: 'GET', path: `/pets/${unknownId}`, authorization: null })
    },
  }),
  writes('C-5-10', {
    name: 'without a key, an invalid create is 401 as well',
    sentence,
    run: (subject) => expectUnauthorized(subject, { method: 'POST', path: '/pets', body: '{}', authorization: null }),
  }),
  reads('C-5-11', {
    name: 'the orders, if the shop has them, are 401 without a key',
    sentence: 'Every operation requires HTTP bearer authentication.',
    async run(subject) {
      const request = { method: 'GET', path: '/store/orders' } as const
      const { response } = await subject.shop.send(request)
      if (response === undefined || response.status >= 300) throw new Skipped('GET /store/orders is not served')
      await expectUnauthorized(subject, { ...request, authorization: null })
    },
  }),
]
