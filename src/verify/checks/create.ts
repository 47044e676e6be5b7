import { type Check, type Subject, writes } from '../shop/check.ts'
import { expectPet, expectStatus, fail, statuses } from '../shop/expect.ts'

const invalidSentence = '400: Body is missing required fields or contains invalid values.'

/** Every one of these values of a member is refused. An empty text leaves the member out. */
async function expectRefused(member: 'name' | 'categoryId' | 'status', values: string[], subject: Subject) {
  for (const value of values)
    expectStatus(await subject.shop.create(await subject.stock.bodyOf({ [member]: value })), 400)
}

export const createChecks: readonly Check[] = [
  writes('C-4.2-1', {
    name: 'an animal with name, categoryId and status is added: 201',
    sentence: '201: Animal added; the body includes the assigned `id`.',
    async run({ shop, stock }) {
      expectStatus(await shop.create(await stock.bodyOf()), 201)
    },
  }),
  writes('C-4.2-2', {
    name: 'the 201 has the animal that was sent, and its id',
    sentence: 'Pet: All fields of NewPet, plus id.',
    async run({ shop, stock }) {
      const name = stock.newName()
      const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name), status: '"sold"' }))
      const pet = expectPet(made, 201)
      const { id: categoryId } = await stock.category()
      if (pet.name !== name || pet.categoryId !== categoryId || pet.status !== 'sold')
        fail(made, `the name ${name}, the categoryId ${categoryId} and the status sold`)
    },
  }),
  writes('C-4.2-3', {
    name: 'an animal without a status is added',
    sentence: 'status: not required. No default is stated.',
    async run({ shop, stock }) {
      expectPet(await shop.create(await stock.bodyOf({ status: '' })), 201)
    },
  }),
  ...statuses.map((status, index) =>
    writes(`C-4.2-${4 + index}`, {
      name: `an animal that is ${status} is added and returned so`,
      sentence: 'Allowed values: `available`, `pending`, `sold`.',
      async run({ shop, stock }) {
        const made = await shop.create(await stock.bodyOf({ status: `"${status}"` }))
        if (expectPet(made, 201).status !== status) fail(made, `the status ${status}`)
      },
    }),
  ),
  writes('C-4.2-7', {
    name: 'a create without a name is 400',
    sentence: '`name` and `categoryId` are required.',
    run: (subject) => expectRefused('name', [''], subject),
  }),
  writes('C-4.2-8', {
    name: 'a create without a categoryId is 400',
    sentence: '`name` and `categoryId` are required.',
    run: (subject) => expectRefused('categoryId', [''], subject),
  }),
  writes('C-4.2-9', {
    name: 'a create without any member, or without a body, is 400',
    sentence: 'Request body (required): NewPet.',
    async run({ shop }) {
      for (const body of ['{}', '']) expectStatus(await shop.create(body), 400)
    },
  }),
  writes('C-4.2-10', {
    name: 'a name that is no string is 400',
    sentence: invalidSentence,
    run: (subject) => expectRefused('name', ['12345', 'true', 'null', '["Rex"]', '{"first":"Rex"}'], subject),
  }),
  writes('C-4.2-11', {
    name: 'a categoryId that is no integer is 400',
    sentence: invalidSentence,
    run: (subject) => expectRefused('categoryId', ['1.5', '"1"', 'true', 'null', '[1]'], subject),
  }),
  writes('C-4.2-12', {
    name: 'a categoryId outside of int64 is 400',
    sentence: 'categoryId: integer, int64.',
    run: (subject) => expectRefused('categoryId', ['9223372036854775808', '-9223372036854775809', '1e30'], subject),
  }),
  writes('C-4.2-13', {
    name: 'a status that is not one of the three is 400',
    sentence: invalidSentence,
    run: (subject) => expectRefused('status', ['"lost"', '"SOLD"', '1', 'null', '["sold"]'], subject),
  }),
]
