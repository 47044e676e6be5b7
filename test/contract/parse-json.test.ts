import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { int64FromJsonNumber, int64Max } from '../../src/contract/int64.ts'
import { parseJson } from '../../src/contract/json.ts'
import { int64 } from '../support/contract-json.ts'

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

function withoutNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item) => (['number', 'bigint'].includes(typeof item) ? '#' : item)))
}
