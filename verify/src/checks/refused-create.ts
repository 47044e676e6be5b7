import { type Check, type Subject, writes } from '../shop/check.ts'
import { expectStatus } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { readBetween } from './read-between.ts'

/** Other words, parts of the three and texts that contain them, other types, members that every object has. */
const invalidStatuses = [
  ['"lost"', '""', '" "', '"SOLD"', '"Sold"', '" sold"', '"sold "', '"sold\\n"', '"sold,pending"', '"sold pending"'],
  ['"sol"', '"able"', '"a"', '"xsoldx"', '"unavailable"', '"availablex"', '"pending1"', '"null"', '"none"', '"0"'],
  ['"constructor"', '"length"', '"__proto__"', '0', '1', '2', '-1', 'true', 'false', '["sold"]', '[]', '{}'],
  [
    '{"sold":true}',
    '1.5',
    '"0.0"',
    '1e400',
    '-0',
    '[["sold"]]',
    '{"$ne":null}',
    '{"value":"sold"}',
    '["sold","pending"]',
  ],
  ['"deleted"', '"active"', '"reserved"', '"all"', '"*"', '"default"', '"NULL"', '"undefined"', '"true"', '"new"'],
  ['"sold/"', '"sold;"', '"sold."', '"s-old"', '"%73old"', '"verkauft"', '"free"', '"open"', '"closed"', '"in stock"'],
].flat()
const otherNameTypes = [
  ['12345', '1.5', 'true', 'false', '0', 'null', '["Rex"]', '[]', '{"first":"Rex"}', '{}', '-1', '1e400', '[null]'],
  ['["\\"\\n<b>%s"]', '{"toString":"Rex"}', '{"$gt":""}', '9223372036854775808', '[[["Rex"]]]'],
].flat()
/** Texts that a message may quote. */
const quotedTexts = [
  '"so\\"ld"',
  '"\\\\"',
  '"<b>"',
  '"%s%n%d"',
  '"a\\nb"',
  '"\\u0000"',
  '"日🐕"',
  `"${'x'.repeat(1000)}"`,
]

/** Every one of these values of a member is refused. An empty text leaves the member out. */
async function expectRefused(
  member: 'name' | 'categoryId' | 'status',
  values: readonly string[],
  { shop, stock }: Subject,
): Promise<void> {
  const bodies = await Promise.all(values.map((value) => stock.bodyOf({ [member]: value })))
  const requests = bodies.map((body) => ({ method: 'POST', path: '/pets', body }) as const)
  for await (const exchange of shop.sendAll(requests)) expectStatus(exchange, 400)
}

/** As other interfaces write these members. */
const otherNames = {
  name: ['petName', 'pet_name', 'title', 'names'],
  categoryId: ['categoryid', 'category_id', 'category-id', 'category', 'catId', 'categoryID'],
}

/** A member of another name is not the required one, also if only its case differs. */
async function expectRenamedRefused(member: keyof typeof otherNames, { shop, stock }: Subject): Promise<void> {
  const body = await stock.bodyOf({ categoryId: String(shop.markCategory) })
  for (const other of [member.toUpperCase(), `${member[0]?.toUpperCase()}${member.slice(1)}`, ...otherNames[member]])
    expectStatus(await shop.create(body.replace(`"${member}"`, `"${other}"`)), 400)
}

/** Not even an empty one. A server may ask for its length (RFC 9112, section 6.3), a shop for its type. */
async function expectNoBodyRefused(shop: Subject['shop']): Promise<void> {
  const made = await shop.send({ method: 'POST', path: '/pets' })
  if (![411, 415].includes(made.response?.status ?? 0)) expectStatus(made, 400)
}

/** Parameters of the address are no members of the body. */
async function expectNotFromAddress({ shop, stock }: Subject): Promise<void> {
  const path = `/pets?name=${stock.newName()}&categoryId=${shop.markCategory}&status=sold`
  expectStatus(await shop.send({ method: 'POST', path, body: '{}' }), 400)
}

export const refusedCreateChecks: readonly Check[] = [
  writes('C-4.2-7', {
    name: 'a create without a name is 400',
    sentence: says.required,
    async run(subject) {
      await expectRefused('name', [''], subject)
      await expectRenamedRefused('name', subject)
      // With each status, and without one: no member stands for another.
      for (const status of ['"available"', '"pending"', '"sold"', '']) {
        const body = await subject.stock.bodyOf({ name: '', status })
        expectStatus(await subject.shop.create(body), 400)
      }
      await expectNotFromAddress(subject)
    },
  }),
  writes('C-4.2-8', {
    name: 'a create without a categoryId is 400',
    sentence: says.required,
    async run(subject) {
      await expectRefused('categoryId', [''], subject)
      await expectRenamedRefused('categoryId', subject)
    },
  }),
  writes('C-4.2-9', {
    name: 'a create without any member, without a body, or with one that is not one JSON object, is 400',
    sentence: says.newPet,
    conclusion: 'What is not one JSON object, or has no member, is no NewPet.',
    turn: 'refused',
    async run({ shop, stock }) {
      const body = await stock.bodyOf({ categoryId: String(shop.markCategory) })
      const others = ['{}', '', ' ', '[]', `[${body}]`, 'null', 'true', '1', '"Rex"', JSON.stringify(body)]
      const broken = ['{', body.slice(0, -1), `${body}x`, `${body}${body}`, body.replace('}', ',}'), body.slice(1)]
      const deep = [60, 600, 1200].flatMap((depth) => ['['.repeat(depth), `${'['.repeat(depth)}${']'.repeat(depth)}`])
      const nested = [`{"pet":${body}}`, `{"data":${body}}`, `{"0":${body}}`, `{"__proto__":${body}}`, `[[${body}]]`]
      for (const other of [...others, ...broken, ...deep, ...nested]) expectStatus(await shop.create(other), 400)
      await expectNoBodyRefused(shop)
    },
  }),
  writes('C-4.2-10', {
    name: 'a name that is no string is 400',
    sentence: says.invalid,
    conclusion: 'A name is a string (section 2), so any other value is invalid.',
    turn: 'refused',
    run: (subject) => expectRefused('name', otherNameTypes, subject),
  }),
  writes('C-4.2-11', {
    name: 'a categoryId that is no integer is 400',
    sentence: says.invalid,
    conclusion: 'A categoryId is an integer (section 2), so any other value is invalid.',
    turn: 'refused',
    run: (subject) =>
      expectRefused(
        'categoryId',
        [
          ['1.5', '"1"', '""', '"x"', 'true', 'false', 'null', '[1]', '[]', '{}', '-0.5', '0.1', '1e-3', '"1.0"'],
          ['{"id":1}', '15e-1', '1.5e0', '-25E-1', '123456.5', '5E-3', '[[1]]', '[1,2]', '{"$numberLong":"1"}', '"0"'],
          ['"-1"', '" 1"', '"1e3"', '"9007199254740993"', '"NaN"', '"null"', '"one"', '{"low":1,"high":0}'],
          [
            '"9223372036854775807"',
            '"-9223372036854775808"',
            '"0x10"',
            '"1,000"',
            '"1_000"',
            '"+1"',
            '"1n"',
            '"\u0661"',
          ],
          quotedTexts,
        ].flat(),
        subject,
      ),
  }),
  writes('C-4.2-12', {
    name: 'a categoryId outside of int64 is 400',
    sentence: says.invalid,
    conclusion: 'A categoryId is an int64 (section 2): from -2^63 to 2^63 - 1.',
    turn: 'refused',
    run: (subject) =>
      expectRefused(
        'categoryId',
        [
          ['9223372036854775808', '-9223372036854775809', '18446744073709551616', '18446744073709551617'],
          ['10000000000000000000', '99999999999999999999999', '1e19', '1e30', '-1e30', '1e400'],
          [
            '-1e400',
            '1E99999',
            `1${'0'.repeat(400)}`,
            `-${'9'.repeat(1000)}`,
            '9223372036854775807000',
            '922337203685477580.8e1',
          ],
        ].flat(),
        subject,
      ),
  }),
  writes('C-4.2-13', {
    name: 'a status that is not one of the three is 400',
    sentence: says.invalid,
    conclusion: 'A status is one of the three (section 2), so any other text or value is invalid.',
    turn: 'refused',
    run: (subject) => expectRefused('status', [...invalidStatuses, ...quotedTexts], subject),
  }),
  writes('C-4.2-15', {
    name: 'a create that is refused adds no animal',
    sentence: says.invalid,
    conclusion: 'Only the 201 says that an animal was added.',
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
]
