import { addBesideLists } from '../shop/add-together.ts'
import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, jsonOf } from '../shop/exchange.ts'
import { Broken, expectArray, expectStatus, statuses } from '../shop/expect.ts'
import { int64Of, member } from '../shop/json.ts'
import { says } from './contract-sentences.ts'
import { isBeforeRemoval } from './removal.ts'

const tooFew = 'the shop does not hold enough animals for a list that is too long'

/** Lists with these queries. The model judges each list by its limit and its status. */
async function list({ shop }: Subject, queries: readonly string[]): Promise<void> {
  for (const query of queries) expectArray(await shop.list(query))
}

/**
 * Adds an animal and lists until it is there, or the shop has had its time. The model judges the lists. The list before
 * it is what a shop may have kept.
 */
async function addAndList(query: string, status: string, { shop, stock }: Subject): Promise<void> {
  await stock.fill()
  await shop.list(query)
  const { pet } = await stock.add({ status })
  expectStatus(
    await shop.settled(
      () => shop.list(query),
      (exchange) => idsOf(exchange).includes(pet.id),
    ),
    200,
  )
}

function idsOf({ response }: Exchange): (bigint | undefined)[] {
  const pets = response === undefined ? undefined : jsonOf(response)
  return Array.isArray(pets) ? pets.map((pet) => int64Of(member(pet, 'id'))) : []
}

/** Others may change the shop between two lists. */
const maxAttempts = 3

/** Limits that people choose, and those beside them. */
const likelyLimits = [2, 5, 10, 20, 21, 25, 30, 40, 49, 50, 51, 60, 75, 80, 90, 99]

/** Every limit, each second one with a status, the likely ones with and without. */
function everyLimit(): string[] {
  const all = Array.from({ length: 100 }, (_, index) => `?limit=${index + 1}${index % 2 === 0 ? '' : '&status=sold'}`)
  return [...all, ...likelyLimits.map((limit) => `?limit=${limit}${limit % 2 === 0 ? '' : '&status=sold'}`)]
}

/** With the other statuses, which are first. */
function otherLimits(): string[] {
  return likelyLimits.flatMap((limit) => [`?status=pending&limit=${limit}`, `?status=available&limit=${limit}`])
}

/** Lists with these queries, some at the same time. */
async function listTogether({ shop }: Subject, queries: readonly string[]): Promise<void> {
  const requests = queries.map((query) => ({ method: 'GET', path: `/pets${query}` }) as const)
  for await (const exchange of shop.sendAll(requests)) expectArray(exchange)
}

/** How many animals there are with and without a limit that says the default, if others did not change the shop. */
async function expectDefault(status: string, { shop }: Subject): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [first, wanted, last] = [
      await shop.list(status === '' ? '' : `?${status}`),
      await shop.list(status === '' ? '?limit=20' : `?${status}&limit=20`),
      await shop.list(status === '' ? '' : `?${status}`),
    ]
    const [before, named, after] = [first, wanted, last].map((list) => expectArray(list).length)
    if (before === named) return
    if (before === after && attempt === maxAttempts - 1)
      throw new Broken(last, `${named} animals, as with limit=20`, `${after} animals`, wanted)
  }
}

/** Queries as some clients write them: escapes of letters and digits (RFC 3986, section 6.2.2.2), and empty parts. */
const otherSpellings = [
  '?status=%73old',
  '?status=sol%64&limit=3',
  '?st%61tus=pending&limit=100',
  '?limit=%33',
  '?limit=1%30&status=%61%76%61%69%6C%61%62%6c%65',
  '?l%69mit=2',
  '?',
  '?limit=5&',
  '?&status=sold&&limit=5',
]

export const listChecks: readonly Check[] = [
  reads('C-4.1-1', {
    name: 'at most 20 animals without a limit, with a status and without one',
    sentence: 'When `limit` is omitted, at most 20 animals are returned.',
    unjudged: tooFew,
    turn: 'many',
    async run(subject) {
      await subject.stock.addMany()
      await list(subject, ['?limit=100', '', ...statuses.map((status) => `?status=${status}`)])
    },
  }),
  reads('C-4.1-2', {
    name: 'a list is 200 with a bare array',
    sentence: 'The response body is a bare array.',
    run: (subject) => list(subject, ['']),
  }),
  ...[1, 7].map((limit, index) =>
    reads(`C-4.1-${3 + index}`, {
      name: `limit=${limit} is accepted and returns at most ${limit === 1 ? 'one animal' : 'seven animals'}`,
      sentence: says.limit,
      unjudged: tooFew,
      async run(subject) {
        await subject.stock.fill()
        await list(subject, ['?limit=100', `?limit=${limit}`])
      },
    }),
  ),
  reads('C-4.1-5', {
    name: 'limit=100 is accepted and returns at most 100 animals',
    sentence: says.limit,
    unjudged: tooFew,
    turn: 'last',
    async run(subject) {
      await subject.stock.addMany()
      await list(subject, ['?limit=100'])
    },
  }),
  ...statuses.map((status, index) =>
    reads(`C-4.1-${6 + index}`, {
      name: `status=${status} returns only animals that are ${status}`,
      sentence: says.everyStatus,
      unjudged: 'the shop shows no animal of another status',
      async run(subject) {
        await subject.stock.fill()
        await list(subject, [
          '?limit=100',
          `?limit=100&status=${status}`,
          `?status=${status}`,
          `?status=${status}&limit=3`,
        ])
      },
    }),
  ),
  reads('C-4.1-9', {
    name: 'limit and status together both hold',
    sentence: says.everyStatus,
    conclusion: 'Neither parameter turns the other off: each holds by itself.',
    unjudged: tooFew,
    turn: 'last',
    async run(subject) {
      await subject.stock.addMany()
      const sold = [1, 2, 20, 21, 50, 51, 99, 100].map((limit) => `?status=sold&limit=${limit}`)
      const others = ['available', 'pending'].flatMap((status) => [
        `?limit=2&status=${status}`,
        `?limit=20&status=${status}`,
      ])
      await list(subject, [...sold, ...others])
    },
  }),
  writes('C-4.1-10', {
    name: 'an animal that was added is in the list, and stays there',
    sentence: 'Purpose: returns a paginated list of animals.',
    conclusion: 'An animal that was added is one of them, and a page that has room for all has it.',
    unjudged: 'the shop may have more animals than fit in a page',
    begin: ({ shop, stock }) => addBesideLists(shop, stock),
    run: (subject) => addAndList('?limit=100', '"available"', subject),
  }),
  writes('C-9-2', {
    name: 'an animal that was added is in the list of its status, and stays there',
    sentence: 'The replacement is `GET /pets` with a `status` filter.',
    conclusion: 'It replaces getPet only if the list of a status has the animals of that status.',
    unjudged: 'the shop may have more animals than fit in a page',
    run: (subject) => addAndList('?limit=100&status=pending', '"pending"', subject),
  }),
  reads('C-4.1-12', {
    name: 'every limit from 1 to 100 is accepted and holds',
    sentence: says.limit,
    unjudged: tooFew,
    turn: 'last',
    async run(subject) {
      await subject.stock.addMany()
      await listTogether(subject, [...everyLimit(), ...otherLimits()])
    },
  }),
  reads('C-4.1-13', {
    name: 'a list without a limit has as many animals as one with limit=20',
    sentence: says.limit,
    conclusion: 'Without a limit, 20 is the limit.',
    turn: 'last',
    async run(subject) {
      await subject.stock.addMany()
      await expectDefault('', subject)
      for (const status of statuses) await expectDefault(`status=${status}`, subject)
    },
  }),
  reads('C-4.1-14', {
    name: 'a query may have percent escapes of letters and digits, and empty parts',
    sentence: says.limit,
    conclusion: 'Escapes of letters and digits are these letters and digits (RFC 3986, section 6.2.2.2).',
    turn: 'settled',
    async run(subject) {
      const { shop, stock } = subject
      await stock.fill()
      await list(subject, ['?limit=100', ...otherSpellings])
      const { id } = await stock.aSettledPet()
      // Others may remove theirs at any time.
      const isOurs = shop.createdIds.has(id)
      if (isOurs && isBeforeRemoval(shop.options.clock())) expectStatus(await shop.get(`${id}?`), 200)
    },
  }),
]
