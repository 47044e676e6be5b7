import { type Check, type Subject, writes } from '../shop/check.ts'
import { expectPet, expectStatus, fail, Skipped, statuses } from '../shop/expect.ts'
import { isBeforeRemoval } from './removal.ts'

/** More ids than these between two animals are not looked at. */
const maxBetween = 40n
const invalidStatuses = [
  '"lost"',
  '""',
  '"SOLD"',
  '"Sold"',
  '" sold"',
  '"sold,pending"',
  '0',
  '1',
  'true',
  '["sold"]',
  '{}',
]
const invalidSentence = '400: Body is missing required fields or contains invalid values.'

/** Every one of these values of a member is refused. An empty text leaves the member out. */
async function expectRefused(member: 'name' | 'categoryId' | 'status', values: string[], subject: Subject) {
  for (const value of values)
    expectStatus(await subject.shop.create(await subject.stock.bodyOf({ [member]: value })), 400)
}

/** A member of another name is not the required one, also if only its case differs. */
async function expectRenamedRefused(member: string, { shop, stock }: Subject): Promise<void> {
  const body = await stock.bodyOf({ categoryId: String(shop.markCategory) })
  for (const other of [member.toUpperCase(), `${member[0]?.toUpperCase()}${member.slice(1)}`])
    expectStatus(await shop.create(body.replace(`"${member}"`, `"${other}"`)), 400)
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
    async run(subject) {
      await expectRefused('name', [''], subject)
      await expectRenamedRefused('name', subject)
    },
  }),
  writes('C-4.2-8', {
    name: 'a create without a categoryId is 400',
    sentence: '`name` and `categoryId` are required.',
    async run(subject) {
      await expectRefused('categoryId', [''], subject)
      await expectRenamedRefused('categoryId', subject)
    },
  }),
  writes('C-4.2-9', {
    name: 'a create without any member, without a body, or with one that is not one JSON object, is 400',
    sentence: 'Request body (required): NewPet.',
    async run({ shop, stock }) {
      const body = await stock.bodyOf({ categoryId: String(shop.markCategory) })
      for (const other of ['{}', '', '[]', `[${body}]`, 'null', '1', '"Rex"', JSON.stringify(body), '{', `${body}x`])
        expectStatus(await shop.create(other), 400)
    },
  }),
  writes('C-4.2-10', {
    name: 'a name that is no string is 400',
    sentence: invalidSentence,
    run: (subject) =>
      expectRefused('name', ['12345', 'true', 'false', '0', 'null', '["Rex"]', '[]', '{"first":"Rex"}', '{}'], subject),
  }),
  writes('C-4.2-11', {
    name: 'a categoryId that is no integer is 400',
    sentence: invalidSentence,
    run: (subject) =>
      expectRefused(
        'categoryId',
        ['1.5', '"1"', '""', '"x"', 'true', 'false', 'null', '[1]', '[]', '{}', '-0.5'],
        subject,
      ),
  }),
  writes('C-4.2-12', {
    name: 'a categoryId outside of int64 is 400',
    sentence: 'categoryId: integer, int64.',
    run: (subject) =>
      expectRefused(
        'categoryId',
        ['9223372036854775808', '-9223372036854775809', '18446744073709551616', '1e30'],
        subject,
      ),
  }),
  writes('C-4.2-13', {
    name: 'a status that is not one of the three is 400',
    sentence: invalidSentence,
    run: (subject) => expectRefused('status', invalidStatuses, subject),
  }),
  writes('C-4.2-14', {
    name: 'a status that is null is 400: a create without a status leaves the member out',
    sentence: 'status: PetStatus, not required. Allowed values: `available`, `pending`, `sold`. null is none of them.',
    run: (subject) => expectRefused('status', ['null'], subject),
  }),
  writes('C-4.2-15', {
    name: 'a create that is refused adds no animal',
    sentence: '400: Body is missing required fields or contains invalid values.',
    unjudged: 'no create was refused',
    async run(subject) {
      const { shop, stock } = subject
      const { pet: before } = await stock.add()
      for (const members of [
        { categoryId: '' },
        { name: '' },
        { name: '12345' },
        { categoryId: '"1"' },
        { categoryId: '1.5' },
        { categoryId: 'null' },
        { status: '"lost"' },
        { status: '""' },
        { status: '1' },
      ])
        await shop.create(await stock.bodyOf({ status: '"pending"', ...members }))
      const { pet: after } = await stock.add()
      await readBetween(before.id, after.id, subject)
    },
  }),
  writes('C-4.2-16', {
    name: 'a create adds one animal, once',
    sentence: '201: Animal added; the body includes the assigned `id`.',
    unjudged: 'no animal could be added',
    async run(subject) {
      const { stock } = subject
      const { pet: before } = await stock.add()
      for (const status of statuses) await stock.add({ status: `"${status}"` })
      const { pet: after } = await stock.add({ status: '' })
      await readBetween(before.id, after.id, subject)
    },
  }),
  writes('C-4.2-17', {
    name: 'two animals may have the same name and the same category',
    sentence: 'name: string. categoryId: integer. Nothing says that they are unique.',
    async run({ shop, stock }) {
      const body = await stock.bodyOf()
      const [first, second] = [expectPet(await shop.create(body), 201), await shop.create(body)]
      if (expectPet(second, 201).id === first.id) fail(second, 'an id of its own')
    },
  }),
  writes('C-4.2-18', {
    name: 'the order of members and the white space between them do not matter',
    sentence: 'All requests and responses with a body use `application/json`.',
    async run({ shop, stock }) {
      const { id } = await stock.category()
      const [first, second] = [stock.newName(), stock.newName()]
      for (const [name, body] of [
        [first, `{"status":"sold","categoryId":${id},"name":"${first}"}`],
        [second, `\n{\t"categoryId" : ${id} ,\r\n "name" : "${escaped(second)}"\n}\n`],
      ] as const) {
        const made = await shop.create(body)
        if (expectPet(made, 201).name !== name) fail(made, `the name ${name}`)
      }
    },
  }),
  writes('C-4.2-19', {
    name: 'an id in a create does not become the id of the animal',
    sentence: 'id: Unique identifier, assigned by the service on creation.',
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      for (const id of [pet.id, 6407151883362954197n]) {
        const made = await shop.create((await stock.bodyOf()).replace('{', `{"id":${id},`))
        if (made.response?.status === 400) throw new Skipped('the shop refuses members that the contract does not have')
        if (expectPet(made, 201).id === id) fail(made, 'an id that the service has assigned')
      }
    },
  }),
]

/** The same text, each character as an escape. */
function escaped(text: string): string {
  return text.replaceAll(/./g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Reads what the creates between two animals may have added, if the shop counts. Lists come later. */
async function readBetween(first: bigint, last: bigint, { shop }: Subject): Promise<void> {
  const [low, high] = first < last ? [first, last] : [last, first]
  if (high - low <= maxBetween && isBeforeRemoval(shop.options.clock()))
    for (let id = low + 1n; id <= high + 1n; id++) await shop.get(id)
}
