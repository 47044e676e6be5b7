import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { int64FromJsonNumber, int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodeCategory } from '../../src/contract/category.ts'
import { encodeEvent } from '../../src/contract/event.ts'
import { encodeOrder } from '../../src/contract/order.ts'
import { parseJson } from '../../src/contract/json.ts'
import { encodePet, encodePets, type Pet } from '../../src/contract/pet.ts'

const int64 = fc.oneof(
  fc.bigInt(int64Min, int64Max),
  fc.bigInt(2n ** 53n - 5n, 2n ** 53n + 5n),
  fc.constantFrom(int64Min, int64Max, 0n, -1n, 10n ** 15n, 10n ** 15n - 1n),
)
const anyPet: fc.Arbitrary<Pet> = fc
  .record({
    id: int64,
    name: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()),
    categoryId: int64,
    status: fc.constantFrom(undefined, 'available' as const, 'pending' as const, 'sold' as const),
  })
  .map(({ status, ...pet }) => (status === undefined ? pet : { ...pet, status }))

test('encodePet and parseJson round-trip every animal', () => {
  fc.assert(
    fc.property(anyPet, (pet) => {
      assert.deepEqual(exactly(parseJson(encodePet(pet))), pet)
    }),
  )
})

const likeNumbers = fc.constantFrom(
  '1.5',
  '1e3',
  '9007199254740993',
  '"',
  '\\',
  '\\"',
  ',',
  ':',
  '{',
  'a',
  '\u2028',
  '😀',
)
const anyText = fc.oneof(
  fc.array(likeNumbers).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }),
)
/** None ends in a backslash: where an object had such a name, V8 14 may read another one with an escape as that name. */
const anyName = anyText.map((text) => `${text}.`)
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    int64,
    anyText,
    fc.constantFrom(true, null),
    fc.array(tie('value')),
    fc.dictionary(anyName, tie('value'), { noNullPrototype: true }),
  ),
})).value

test('parseJson changes no string and no name, whatever they look like, and keeps the digits of every integer', () => {
  const write = (value: unknown) =>
    JSON.stringify(value, (_name, each: unknown) =>
      typeof each === 'bigint' ? (JSON as unknown as { rawJSON(text: string): object }).rawJSON(String(each)) : each,
    )
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = write(value)
      assert.equal(write(parseJson(text)), text)
      // With a long exponent in it every text takes the careful way.
      assert.equal(write(parseJson(`[1e00,${text}]`)), `[1,${text}]`)
    }),
  )
})

test('parseJson reads values that are nested as deeply as a body can be', () => {
  const depth = 30_000
  let value = parseJson(`${'['.repeat(depth)}9e18${']'.repeat(depth)}`)
  for (let level = 0; level < depth; level++) [value] = value as [unknown]

  assert.equal(value, 9n * 10n ** 18n)
})

test('encodePet writes every name as JSON.stringify does', () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
  for (const name of [...characters, '😀', '\u{10ffff}', '\uffff', 'a"b', 'a\\', '\t\n']) {
    assert.equal(encodePet({ id: 1n, name, categoryId: 2n }), `{"id":1,"name":${JSON.stringify(name)},"categoryId":2}`)
  }
})

test('encodePets and parseJson round-trip every page', () => {
  fc.assert(
    fc.property(fc.array(anyPet, { maxLength: 5 }), (pets) => {
      assert.deepEqual((parseJson(encodePets(pets)) as unknown[]).map(exactly), pets)
    }),
  )
})

test('encodePet writes the members in the order of the contract, each once', () => {
  const text = encodePet({ status: 'sold', categoryId: 2n, name: 'Rex', id: 1n })

  assert.equal(text, '{"id":1,"name":"Rex","categoryId":2,"status":"sold"}')
})

test('encodePet omits an absent status', () => {
  assert.equal(encodePet({ id: 1n, name: 'Rex', categoryId: 2n }), '{"id":1,"name":"Rex","categoryId":2}')
})

test('encodePet writes all digits of an int64', () => {
  const text = encodePet({ id: int64Max, name: 'Rex', categoryId: int64Min })

  assert.equal(text, '{"id":9223372036854775807,"name":"Rex","categoryId":-9223372036854775808}')
})

test('encodePet writes what JSON.stringify would', () => {
  fc.assert(
    fc.property(anyPet, (pet) => {
      const small = { ...pet, id: 1n, categoryId: 2n }

      assert.equal(
        encodePet(small),
        JSON.stringify({
          id: 1,
          name: pet.name,
          categoryId: 2,
          ...(pet.status !== undefined && { status: pet.status }),
        }),
      )
    }),
  )
})

test('encodePets of no animals is an empty array', () => {
  assert.equal(encodePets([]), '[]')
})

test('parseJson reads JSON like JSON.parse, except for numbers', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => {
      assert.deepEqual(withoutNumbers(parseJson(text)), withoutNumbers(JSON.parse(text)))
    }),
  )
})

test('parseJson never rounds an integer', () => {
  fc.assert(
    fc.property(int64, (value) => {
      const { n } = parseJson(`{"n":${value}}`) as { n: number | bigint }

      assert.equal(BigInt(n), value)
    }),
  )
})

const integers = {
  '1e3': 1000n,
  '1.0': 1n,
  '-0.0': 0n,
  '10e-1': 1n,
  '0e99': 0n,
  '1.5e01': 15n,
  '100000000000000e4': 10n ** 18n,
  '9007199254740993.0': 2n ** 53n + 1n,
  '9223372036854775807': int64Max,
}
for (const [text, value] of Object.entries(integers)) {
  test(`parseJson reads ${text} as the integer ${value}`, () => {
    assert.equal(BigInt(parseJson(text) as number | bigint), value)
  })
}

const others = [
  '1.5',
  '0.1',
  '15e-1',
  '1.00000000000000000001',
  '99999999999999.5',
  '1e-400',
  '9223372036854775808',
  '1e999',
]
for (const text of others) {
  test(`parseJson reads ${text}, which is not an int64, as no integer`, () => {
    const value = parseJson(text)

    assert.ok(typeof value === 'number' && !Number.isSafeInteger(value))
  })
}

test('a number that is written in any way is an integer or not, as its digits say', () => {
  const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,17})$/)
  const number = fc.tuple(digits, fc.stringMatching(/^(\.[0-9]{1,18})?$/), fc.stringMatching(/^(e-?[0-9]{1,2})?$/))
  fc.assert(
    fc.property(number, (parts) => {
      const text = parts.join('')
      const expected = int64FromJsonNumber(text)
      const value = parseJson(text) as number | bigint

      const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value)
      assert.equal(isInteger ? BigInt(value) : undefined, expected)
    }),
    { numRuns: 2_000 },
  )
})

test('parseJson takes the last of two members of the same name', () => {
  assert.deepEqual(parseJson('{"n":1.5,"n":12345678901234567}'), { n: 12345678901234567n })
})

test('parseJson treats __proto__ as an ordinary member', () => {
  const value = parseJson('{"__proto__":{"status":"sold"},"n":9e18}') as { status?: string; n: bigint }

  assert.equal(value.status, undefined)
  assert.equal(value.n, 9n * 10n ** 18n)
})

for (const text of [
  '',
  ' ',
  '{',
  '{"a":1}x',
  "{'a':1}",
  '{a:1}',
  '{"a":1,}',
  '[1,]',
  'NaN',
  'undefined',
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  '"\n"',
  '// no\n1',
  '\ufeff{}',
]) {
  test(`parseJson refuses ${JSON.stringify(text)}, which is not JSON`, () => {
    assert.throws(() => parseJson(text), SyntaxError)
  })
}

for (const text of [
  '"\\ud800"',
  '"\\uDFFF"',
  '"a\\uDBFFb"',
  '["\\ude00\\ud83d"]',
  '{"\\ud800":1}',
  '{"a":{"b":"\\uD83D"}}',
]) {
  test(`parseJson refuses the lone surrogate in ${text}`, () => {
    assert.throws(() => parseJson(text), SyntaxError)
  })
}

test('parseJson names the member that has a lone surrogate, and none if the string is the whole text', () => {
  assert.throws(() => parseJson('{"name":"\\ud800"}'), /^LoneSurrogate: name must not/)
  assert.throws(() => parseJson('"\\ud800"'), /^LoneSurrogate: A string must not/)
})

test('parseJson reads a pair of surrogate escapes as one character', () => {
  assert.equal(parseJson('"\\ud83d\\uDC07"'), '🐇')
})

test('the JSON of orders and categories has its members in order and all digits of an int64', () => {
  const at = '2027-01-01T12:00:00.000Z'

  assert.equal(
    encodeOrder({ id: 1n, petId: int64Max, status: 'placed', placedAt: at, updatedAt: at }),
    `{"id":1,"petId":9223372036854775807,"status":"placed","placedAt":"${at}","updatedAt":"${at}"}`,
  )
  assert.equal(encodeCategory({ id: int64Min, name: '"🐶"\n' }), '{"id":-9223372036854775808,"name":"\\"🐶\\"\\n"}')
})

for (const [type, subject] of [
  ['pet.created', 'pets/7'],
  ['pet.updated', 'pets/7'],
  ['pet.deleted', 'pets/7'],
  ['order.placed', 'store/orders/7'],
  ['order.completed', 'store/orders/7'],
  ['order.cancelled', 'store/orders/7'],
] as const) {
  test(`the JSON of ${type} is a CloudEvent on one line, with its data unchanged`, () => {
    const data = '{"id":9007199254740993,"name":"a\\nb"}'

    const text = encodeEvent({ id: 17n, type, subject: 7n, at: Date.UTC(2027, 0, 1), data }, 'https://pets.example/v1')

    assert.equal(
      text,
      `{"specversion":"1.0","id":"17","source":"https://pets.example/v1","type":"petstore.${type}","subject":"${subject}",` +
        `"time":"2027-01-01T00:00:00.000Z","datacontenttype":"application/json","data":${data}}`,
    )
    assert.doesNotMatch(text, /[\r\n]/)
  })
}

function exactly(value: unknown): unknown {
  const pet = value as { id: number | bigint; categoryId: number | bigint }
  return { ...pet, id: BigInt(pet.id), categoryId: BigInt(pet.categoryId) }
}

function withoutNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item) => (['number', 'bigint'].includes(typeof item) ? '#' : item)))
}
