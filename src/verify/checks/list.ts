import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, headerOf, jsonOf } from '../shop/exchange.ts'
import { expectArray, expectStatus, fail, Skipped, statuses } from '../shop/expect.ts'
import { int64Of, type Json, member } from '../shop/json.ts'

const limitSentence = 'limit: minimum 1, maximum 100, default 20. Maximum number of animals returned.'

async function expectAtMost(count: number, query: string, { shop, stock }: Subject): Promise<void> {
  await stock.fill()
  const list = await shop.list(query)
  const { length } = expectArray(list)
  if (length > count) fail(list, `at most ${count} animals`, `${length} animals`)
}

function expectOnly(status: string, list: Exchange): Json[] {
  const pets = expectArray(list)
  const other = pets.find((pet) => member(pet, 'status') !== status)
  if (other !== undefined) fail(list, `only animals with the status ${status}`)
  return pets
}

/** An animal of a page that is not full, or the reason why it cannot be known that the animal is missing. */
async function expectListed(query: string, id: bigint, { shop }: Subject): Promise<void> {
  const has = (list: Exchange) => idsOf(list).includes(id)
  const list = await shop.settled(() => shop.list(query), has)
  expectStatus(list, 200)
  if (has(list)) return
  const { length } = idsOf(list)
  // A page may be shorter than its limit, and how to get the next one is not in the contract.
  const isShort = length === 0 || length < shop.largestPage
  const isLast = isShort && !/rel="?next/i.test(headerOf(list.response ?? never(), 'link') ?? '')
  if (!isLast) throw new Skipped('the shop may have more animals than fit in a page')
  fail(list, `the animal ${id} in the list`)
}

function idsOf({ response }: Exchange): (bigint | undefined)[] {
  const list = response === undefined ? undefined : jsonOf(response)
  return Array.isArray(list) ? list.map((pet) => int64Of(member(pet, 'id'))) : []
}

function never(): never {
  throw new Error('a status was expected before')
}

export const listChecks: readonly Check[] = [
  reads('C-4.1-1', {
    name: 'at most 20 animals without a limit',
    sentence: 'When `limit` is omitted, at most 20 animals are returned.',
    run: (subject) => expectAtMost(20, '', subject),
  }),
  reads('C-4.1-2', {
    name: 'a list is 200 with a bare array',
    sentence: 'The response body is a bare array.',
    async run({ shop }) {
      expectArray(await shop.list())
    },
  }),
  reads('C-4.1-3', {
    name: 'limit=1 is accepted and returns at most one animal',
    sentence: limitSentence,
    run: (subject) => expectAtMost(1, '?limit=1', subject),
  }),
  reads('C-4.1-4', {
    name: 'limit=7 is accepted and returns at most seven animals',
    sentence: limitSentence,
    run: (subject) => expectAtMost(7, '?limit=7', subject),
  }),
  reads('C-4.1-5', {
    name: 'limit=100 is accepted and returns at most 100 animals',
    sentence: limitSentence,
    run: (subject) => expectAtMost(100, '?limit=100', subject),
  }),
  ...statuses.map((status, index) =>
    reads(`C-4.1-${6 + index}`, {
      name: `status=${status} returns only animals that are ${status}`,
      sentence: 'When `status` is given, every returned animal has that status.',
      async run({ shop, stock }) {
        await stock.fill()
        expectOnly(status, await shop.list(`?limit=100&status=${status}`))
      },
    }),
  ),
  reads('C-4.1-9', {
    name: 'limit and status together both hold',
    sentence: 'Clients can list animals, optionally filtered by availability status and limited in page size.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?status=sold&limit=2')
      const { length } = expectOnly('sold', list)
      if (length > 2) fail(list, 'at most 2 animals', `${length} animals`)
    },
  }),
  writes('C-4.1-10', {
    name: 'an animal that was added is in the list',
    sentence: 'Clients can list animals; add an animal.',
    async run(subject) {
      const { pet } = await subject.stock.add()
      await expectListed('?limit=100', pet.id, subject)
    },
  }),
  writes('C-4.1-11', {
    name: 'an animal that was added is in the list of its status',
    sentence: 'The replacement is `GET /pets` with a `status` filter.',
    async run(subject) {
      const { pet } = await subject.stock.add({ status: '"pending"' })
      await expectListed('?limit=100&status=pending', pet.id, subject)
    },
  }),
]
