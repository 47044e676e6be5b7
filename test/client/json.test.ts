import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { encodeJson, parseJson } from '../../client/src/json.ts'

for (const [text, expected] of [
  ['1', 1],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9223372036854775807', 9223372036854775807n],
  ['-9223372036854775808', -9223372036854775808n],
  ['0.1234567890123456', 0.1234567890123456],
  ['1234567890123456789e2', 1.2345678901234568e20],
  ['"9007199254740993"', '9007199254740993'],
  ['"\\"9007199254740993"', '"9007199254740993'],
  ['"\\\\",9007199254740993', undefined],
  ['["\\\\",9007199254740993]', ['\\', 9007199254740993n]],
  ['{"9007199254740993":[9007199254740993,null,true]}', { '9007199254740993': [9007199254740993n, null, true] }],
  ['09007199254740993', undefined],
  ['9007199254740993n', undefined],
  ['[9007199254740993', undefined],
] as const) {
  test(`${text} is read exactly`, () => {
    if (expected === undefined) assert.throws(() => parseJson(text), SyntaxError)
    else assert.deepEqual(parseJson(text), expected)
  })
}

test('encoded values are read back exactly', () => {
  const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null), int64())
  const animal = fc.dictionary(fc.string(), leaf)

  fc.assert(
    fc.property(animal, (value) => {
      assert.deepEqual(parseJson(encodeJson(value)), { ...value })
    }),
  )
})

test('a runtime that does not show the digits fails instead of rounding', (t) => {
  const parse = JSON.parse
  t.mock.method(JSON, 'parse', (text: string, revive?: (key: string, value: unknown) => unknown) =>
    parse(text, revive && ((key, value) => revive(key, value))),
  )

  assert.throws(() => parseJson('[9007199254740993]'), TypeError)
  assert.deepEqual(parseJson('["9007199254740993",1]'), ['9007199254740993', 1])
})

test('undefined members are omitted', () => {
  assert.equal(encodeJson({ name: 'Rex', status: undefined }), '{"name":"Rex"}')
})

test('a number that may have been rounded is refused before it is sent', () => {
  assert.throws(() => encodeJson({ categoryId: 2 ** 53 }), /categoryId must be an exact integer/)
})

test('a number that JSON does not have is refused before it is sent', () => {
  for (const categoryId of [Infinity, -Infinity, NaN]) {
    assert.throws(() => encodeJson({ filter: { categoryId } }), {
      name: 'TypeError',
      message: `categoryId must be an exact integer, got ${categoryId}: use a bigint beyond 2^53.`,
    })
  }
})

/** As the client reads them: numbers where those are exact. */
function int64() {
  return fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value))
}
