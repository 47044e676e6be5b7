import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { headerOf, jsonOf } from '../shop/exchange.ts'
import { expectArray, expectPet, expectStatus, fail, Skipped } from '../shop/expect.ts'
import { int64Of, member } from '../shop/json.ts'

const exactSentence = '`limit` is plain decimal digits from 1 to 100. Anything else, or given twice, is 400.'
const statusSentence = '`status` is exactly one of the three. Anything else, or given twice, is 400.'
const nameSentence = '`name` is not empty, not only white space, and has no NUL. It is stored byte for byte.'

async function expectListRefused({ shop }: Subject, queries: readonly string[]): Promise<void> {
  for (const query of queries) expectStatus(await shop.list(`?${query}`), 400)
}

async function expectCreateRefused({ shop }: Subject, status: number, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) expectStatus(await shop.create(body), status)
}

/** What we answer where the contract is silent about the requests for lists and creates. */
export const requestChecks: readonly Check[] = [
  reads('R-4.1-1', {
    name: 'a limit below 1 is refused',
    sentence: exactSentence,
    run: (subject) => expectListRefused(subject, ['limit=0', 'limit=-1']),
  }),
  reads('R-4.1-2', {
    name: 'a limit that is not plain digits is refused',
    sentence: exactSentence,
    run: (subject) =>
      expectListRefused(
        subject,
        ['abc', '', '1.0', '1e1', '%2B5', '%205', '0x10', '007'].map((limit) => `limit=${limit}`),
      ),
  }),
  reads('R-4.1-3', {
    name: 'a limit above 100 is refused',
    sentence: exactSentence,
    run: (subject) => expectListRefused(subject, ['limit=101', 'limit=99999999999999999999']),
  }),
  reads('R-4.1-4', {
    name: 'a limit given twice is refused',
    sentence: exactSentence,
    run: (subject) => expectListRefused(subject, ['limit=5&limit=5']),
  }),
  reads('R-4.1-5', {
    name: 'a status that is not exactly one of the three is refused',
    sentence: statusSentence,
    run: (subject) => expectListRefused(subject, ['status=lost', 'status=SOLD', 'status=', 'status=sold,pending']),
  }),
  reads('R-4.1-6', {
    name: 'a status given twice is refused',
    sentence: statusSentence,
    run: (subject) => expectListRefused(subject, ['status=sold&status=sold']),
  }),
  reads('R-4.1-7', {
    name: 'an unknown parameter is ignored',
    sentence: 'Unknown parameters are ignored.',
    async run({ shop }) {
      expectStatus(await shop.list(`?${shop.mark}=1`), 200)
    },
  }),
  reads('R-4.1-8', {
    name: 'a list ascends by id',
    sentence: 'The order is ascending by id.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      const ids = expectArray(list).map((pet) => int64Of(member(pet, 'id')) ?? fail(list, 'an id that is an int64'))
      if (ids.some((id, index) => index > 0 && id < (ids[index - 1] ?? id))) fail(list, 'ascending ids')
    },
  }),
  reads('R-4.1-9', {
    name: 'Link leads to the next page, which repeats nothing',
    sentence: '`Link` has the next page: an absolute URL with the same filters and an opaque `cursor`.',
    async run({ shop, stock }) {
      await stock.fill()
      const hasTwo = async () => expectArray(await shop.list('?limit=2')).length === 2
      const isBefore = await hasTwo()
      const first = await shop.list('?limit=1')
      // Others may remove animals.
      if (!isBefore || !(await hasTwo())) throw new Skipped('the shop has fewer than two animals')
      const target = /<([^<>]*)>\s*;\s*rel="?next/i.exec(
        (first.response && headerOf(first.response, 'link')) ?? '',
      )?.[1]
      const next = target !== undefined && URL.canParse(target) ? new URL(target) : undefined
      if (next === undefined) return fail(first, 'a Link to the next page, with an absolute URL')
      const second = await shop.list(next.search)
      const [ids, nextIds] = [first, second].map((list) => expectArray(list).map((pet) => int64Of(member(pet, 'id'))))
      if (nextIds === undefined || nextIds.length === 0) fail(second, 'the animals that follow')
      if (nextIds?.some((id) => ids?.includes(id))) fail(second, 'no animal of the page before')
    },
  }),
  reads('R-4.1-10', {
    name: 'a damaged cursor is refused',
    sentence: 'A damaged cursor, or one used with other filters, is 400.',
    run: (subject) => expectListRefused(subject, ['cursor=damaged']),
  }),
  writes('R-4.2-1', {
    name: 'a body that is not one JSON object is refused',
    sentence: 'The body is one JSON object in strict UTF-8.',
    async run(subject) {
      const body = await subject.stock.bodyOf()
      await expectCreateRefused(subject, 400, ['{', body.slice(0, -1), `${body}x`, `[${body}]`, 'null', '1', '"Rex"'])
    },
  }),
  writes('R-4.2-2', {
    name: 'a body that is not application/json is 415',
    sentence: 'The body is sent as `application/json`.',
    async run({ shop, stock }) {
      for (const contentType of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])
        expectStatus(await shop.send({ method: 'POST', path: '/pets', body: await stock.bodyOf(), contentType }), 415)
    },
  }),
  writes('R-4.2-3', {
    name: 'a body of more than 64 KiB is 413',
    sentence: 'The body has at most 64 KiB.',
    async run(subject) {
      const name = JSON.stringify(`${subject.stock.newName()}${'x'.repeat(64 * 1024)}`)
      await expectCreateRefused(subject, 413, [await subject.stock.bodyOf({ name })])
    },
  }),
  writes('R-4.2-4', {
    name: 'a name that is empty, only white space, or has a NUL is refused',
    sentence: nameSentence,
    async run(subject) {
      for (const name of ['""', '"  "', '"\\u00a0\\t"', `"${subject.stock.newName()}\\u0000"`])
        await expectCreateRefused(subject, 400, [await subject.stock.bodyOf({ name })])
    },
  }),
  writes('R-4.2-5', {
    name: 'a name comes back exactly: white space at its ends, combining marks, right-to-left text',
    sentence: nameSentence,
    async run({ shop, stock }) {
      const name = `  ${stock.newName()} e\u0301 \u00e9 \u05d3\u05d5\u05d1  \n`
      const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name) }))
      if (expectPet(made, 201).name !== name) fail(made, `the name ${JSON.stringify(name)}`)
    },
  }),
  writes('R-4.2-6', {
    name: 'the categoryId 1e3 is 1000, 1.0 is 1 and -0 is 0',
    sentence: '`categoryId` is any int64, however it is written (`1e3`, `1.0`, `-0`).',
    async run({ shop, stock }) {
      for (const [categoryId, value] of [
        ['1e3', 1000n],
        ['1.0', 1n],
        ['-0', 0n],
      ] as const) {
        const made = await shop.create(await stock.bodyOf({ categoryId }))
        if (expectPet(made, 201).categoryId !== value) fail(made, `the categoryId ${value}`)
      }
    },
  }),
  writes('R-4.2-7', {
    name: 'an absent status stays absent',
    sentence: '`status` is one of the three, or absent. If it is absent it stays absent.',
    async run({ shop, stock }) {
      const made = await shop.create(await stock.bodyOf({ status: '' }))
      const { id, status } = expectPet(made, 201)
      if (status !== undefined) fail(made, 'no status')
      const list = await shop.list('?limit=100')
      const listed = expectArray(list).find((pet) => int64Of(member(pet, 'id')) === id)
      for (const [exchange, pet] of [
        [made, made.response && jsonOf(made.response)],
        [list, listed],
      ] as const)
        if (member(pet, 'status') !== undefined) fail(exchange, 'no member status, also none that is null')
    },
  }),
  writes('R-4.2-10', {
    name: 'a status that is null is 400: a create without a status leaves the member out',
    sentence: '`status` is one of the three, or absent.',
    async run(subject) {
      await expectCreateRefused(subject, 400, [await subject.stock.bodyOf({ status: 'null' })])
    },
  }),
  writes('R-4.2-8', {
    name: 'other members, also an id, are ignored and not echoed',
    sentence: 'Other members are ignored and not echoed.',
    async run({ shop, stock }) {
      const body = (await stock.bodyOf()).replace('{', '{"id":9223372036854775805,"colour":"red",')
      const made = await shop.create(body)
      if (expectPet(made, 201).id === 9223372036854775805n) fail(made, 'an id of the service')
      if (made.response && member(jsonOf(made.response), 'colour') !== undefined) fail(made, 'no member colour')
    },
  }),
  writes('R-4.2-9', {
    name: 'Location is the address of the new animal',
    sentence: '`Location` is `…/pets/N`, the address of `getPet`, `updatePet` and `deletePet`.',
    async run({ stock }) {
      const { exchange, pet } = await stock.add()
      const location = exchange.response && headerOf(exchange.response, 'location')
      if (location?.endsWith(`/pets/${pet.id}`) !== true)
        fail(exchange, `a Location that ends in /pets/${pet.id}`, location)
    },
  }),
]
