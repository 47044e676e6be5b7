import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { encodeJson, parseJson, parseWithoutSource } from '../../client/src/json.ts'

const ways = [
  ['where the runtime shows the digits', parseJson],
  ['where it does not', parseWithoutSource],
] as const

for (const [where, parse] of ways) {
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
    test(`${text} is read exactly, ${where}`, () => {
      if (expected === undefined) assert.throws(() => parse(text), SyntaxError)
      else assert.deepEqual(parse(text), expected)
    })
  }

  test(`encoded values are read back exactly, ${where}`, () => {
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null), int64())
    const animal = fc.dictionary(fc.string(), leaf)

    fc.assert(
      fc.property(animal, (value) => {
        assert.deepEqual(parse(encodeJson(value)), { ...value })
      }),
    )
  })
}

test('undefined members are omitted', () => {
  assert.equal(encodeJson({ name: 'Rex', status: undefined }), '{"name":"Rex"}')
})

test('a number that may have been rounded is refused before it is sent', () => {
  assert.throws(() => encodeJson({ categoryId: 2 ** 53 }), /categoryId must be an integer that is exact/)
})

/** As the client reads them: numbers where those are exact. */
function int64() {
  return fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value))
}
