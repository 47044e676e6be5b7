import { type Check, reads, writes } from '../shop/check.ts'
import { jsonOf } from '../shop/exchange.ts'
import { expectArray, expectPet, fail, Skipped, statuses } from '../shop/expect.ts'
import { int64Of, type Json, JsonNumber, member } from '../shop/json.ts'

const unusualEnds = [
  ['  ', ' Rex  '],
  ['', ' Rex   and  Tom'],
  ['', ' Rex\nTom\tKit'],
  ['', ' Zoe\u0308 e\u0301 \u00e9'],
  ['', ' \u212b \ufb01 \uff21 \u200d'],
] as const
const categoryIds = [
  '0',
  '1',
  '-1',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '-9007199254740993',
  '1152921504606846977',
]

export const resourceChecks: readonly Check[] = [
  reads('C-1-1', {
    name: 'the base address ends in /v1',
    sentence: 'Both base addresses end in the version segment `/v1`.',
    async run({ shop }) {
      const { pathname } = shop.options.url
      if (!/\/v1\/?$/.test(pathname)) fail(undefined, 'a base address that ends in /v1', `the path ${pathname}`)
    },
  }),
  reads('C-2-1', {
    name: 'every listed animal has an id, a name and a categoryId of their types',
    sentence: 'id: integer, int64, required. name: string, required. categoryId: integer, int64, required.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      for (const pet of expectArray(list)) {
        if (int64Of(member(pet, 'id')) === undefined) fail(list, 'each animal to have an id that is an int64')
        if (typeof member(pet, 'name') !== 'string') fail(list, 'each animal to have a name that is a string')
        if (int64Of(member(pet, 'categoryId')) === undefined)
          fail(list, 'each animal to have a categoryId that is an int64')
      }
    },
  }),
  reads('C-2-2', {
    name: 'the status of a listed animal is available, pending or sold, if it has one',
    sentence: 'Allowed values: `available`, `pending`, `sold`.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      for (const pet of expectArray(list)) {
        const status = member(pet, 'status')
        if (status !== undefined && !(statuses as readonly Json[]).includes(status))
          fail(list, 'each status to be available, pending or sold', `the status ${show(status)}`)
      }
    },
  }),
  reads('C-2-3', {
    name: 'no id is in a list twice',
    sentence: 'id: Unique identifier, assigned by the service on creation.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      const ids = expectArray(list).map((pet) => int64Of(member(pet, 'id')))
      const twice = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index)
      if (twice !== undefined) fail(list, 'each id once', `the id ${twice} twice`)
    },
  }),
  writes('C-2-4', {
    name: 'every new animal gets an id that no other animal has',
    sentence: 'id: Unique identifier, assigned by the service on creation.',
    async run({ shop, stock }) {
      const list = await shop.list('?limit=100')
      const listed = list.response?.status === 200 ? jsonOf(list.response) : undefined
      const ids = new Set((Array.isArray(listed) ? listed : []).map((pet) => int64Of(member(pet, 'id'))))
      for (let count = 0; count < 3; count++) {
        const { exchange, pet } = await stock.add()
        if (ids.has(pet.id)) fail(exchange, 'an id of its own', `the id ${pet.id} of another animal`)
        ids.add(pet.id)
      }
    },
  }),
  ...(['9007199254740993', '9223372036854775807', '-9223372036854775808'] as const).map((categoryId, index) =>
    writes(`C-2-${5 + index}`, {
      name: `the categoryId ${categoryId} comes back with the same digits`,
      sentence: 'categoryId: integer, int64.',
      async run({ shop, stock }) {
        const { isFree } = await stock.category()
        const made = await shop.create(await stock.bodyOf({ categoryId }))
        if (!isFree && made.response?.status === 400)
          throw new Skipped('the shop refuses categories that it does not know')
        const pet = expectPet(made, 201)
        if (pet.categoryId !== BigInt(categoryId)) fail(made, `the categoryId ${categoryId}`)
      },
    }),
  ),
  writes('C-2-8', {
    name: 'a name beyond ASCII comes back the same',
    sentence: "name: string. The animal's name.",
    async run({ shop, stock }) {
      for (const end of ['日本 Жук 🐕 "\\/', 'Ärger ñ ß é', '👩‍👩‍👧 🇩🇪 𝒳', 'שלום مرحبا']) {
        const name = `${stock.newName()} ${end}`.normalize('NFC')
        const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name) }))
        if (expectPet(made, 201).name !== name) fail(made, `the name ${JSON.stringify(name)}`)
      }
    },
  }),
  writes('C-2-12', {
    name: 'an animal is the same in its 201 and in every list',
    sentence: 'Pet (animal as returned): id, name, categoryId, status.',
    unjudged: 'no list has shown an animal that was added',
    async run({ shop, stock }) {
      await stock.fill()
      await shop.list('?limit=100')
    },
  }),
  writes('C-2-13', {
    name: 'names with marks of HTML, SQL and JSON come back the same',
    sentence: "name: string. The animal's name.",
    async run({ shop, stock }) {
      for (const end of [
        `<b>Rex</b> & "Tom" 'Kit' &amp; &#39;`,
        `'); DROP TABLE pets; -- %s %20 + ?`,
        '\\n \\u0041 \\\\ {} [] null true 007',
      ]) {
        const name = `${stock.newName()} ${end}`
        const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name) }))
        if (expectPet(made, 201).name !== name) fail(made, `the name ${JSON.stringify(name)}`)
      }
    },
  }),
  writes('C-2-14', {
    name: 'a name of 60, 130, 300 and 2,000 characters comes back whole, if it is accepted',
    sentence: "name: string. The animal's name.",
    async run({ shop, stock }) {
      for (const length of [60, 130, 300, 2000]) {
        const name = `${stock.newName()} ${'Rex und Tom '.repeat(200)}`.slice(0, length - 1).concat('!')
        const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name) }))
        // The contract has no limit, and does not forbid one.
        if (made.response?.status === 400 && length > 100) return
        if (expectPet(made, 201).name !== name) fail(made, `the name of ${length} characters`)
      }
    },
  }),
  writes('C-2-15', {
    name: 'the categoryIds 0, -1, 1 and those beside 2^31, 2^32 and 2^53 come back with the same digits',
    sentence: 'categoryId: integer, int64.',
    async run({ shop, stock }) {
      const { isFree } = await stock.category()
      for (const categoryId of categoryIds) {
        const made = await shop.create(await stock.bodyOf({ categoryId }))
        if (!isFree && made.response?.status === 400)
          throw new Skipped('the shop refuses categories that it does not know')
        if (expectPet(made, 201).categoryId !== BigInt(categoryId)) fail(made, `the categoryId ${categoryId}`)
      }
    },
  }),
  writes('C-2-16', {
    name: 'white space, line breaks and combining marks of a name come back the same, if they are accepted',
    sentence: "name: string. The animal's name.",
    async run({ shop, stock }) {
      for (const [start, end] of unusualEnds) {
        const name = `${start}${stock.newName()}${end}`
        const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name) }))
        // The contract does not say that every text is a name.
        if (made.response?.status === 400) continue
        if (expectPet(made, 201).name !== name) fail(made, `the name ${JSON.stringify(name)}`)
      }
    },
  }),
]

function show(value: Json): string {
  return value instanceof JsonNumber ? value.source : JSON.stringify(value)
}
