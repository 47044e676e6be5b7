import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { int64FromJsonNumber, int64FromText, int64Max, int64Min } from '../../src/contract/int64.ts'

test('int64 reaches from -9223372036854775808 to 9223372036854775807', () => {
  assert.equal(int64Min, -9223372036854775808n)
  assert.equal(int64Max, 9223372036854775807n)
})

test('int64FromText reads the canonical decimal of every int64', () => {
  fc.assert(
    fc.property(fc.bigInt(int64Min, int64Max), (value) => {
      assert.equal(int64FromText(String(value)), value)
    }),
    { examples: [[int64Min], [int64Max], [0n], [-1n], [2n ** 53n + 1n]] },
  )
})

for (const text of [
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999',
  '9'.repeat(1000),
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '+1',
  '-0',
  '00',
  '007',
  '-07',
  '1.0',
  '1e3',
  '0x10',
  '1_000',
  '1,000',
  '--1',
  '-',
  'abc',
  'NaN',
  'Infinity',
  '１',
  '٣',
]) {
  test(`int64FromText refuses ${spell(text)}`, () => {
    assert.equal(int64FromText(text), undefined)
  })
}

for (const [source, value] of Object.entries({
  '0': 0n,
  '-0': 0n,
  '0.0': 0n,
  '-0.00e-7': 0n,
  '0e999999999': 0n,
  '1': 1n,
  '1.0': 1n,
  '1e3': 1000n,
  '1E3': 1000n,
  '1e+3': 1000n,
  '10e-1': 1n,
  '1.50e1': 15n,
  '0.001e3': 1n,
  '-12.5e1': -125n,
  '1000000e-6': 1n,
  '9007199254740993': 2n ** 53n + 1n,
  '9007199254740993.0': 2n ** 53n + 1n,
  '9223372036854775807': int64Max,
  '-9223372036854775808': int64Min,
  '9.223372036854775807e18': int64Max,
  '92233720368547758070e-1': int64Max,
  '-9223372036854775808.000': int64Min,
})) {
  test(`int64FromJsonNumber reads ${source} as ${value}`, () => {
    assert.equal(int64FromJsonNumber(source), value)
  })
}

for (const source of [
  '1.5',
  '-0.1',
  '1e-1',
  '15e-1',
  '1.00000000000000000001',
  '9223372036854775808',
  '-9223372036854775809',
  '9223372036854775807.5',
  '1e19',
  '-1e19',
  '1e400',
  '1e999999999',
  '1e99999999999999999999',
  '1e-999999999',
  '12345678901234567890',
]) {
  test(`int64FromJsonNumber refuses ${source}`, () => {
    assert.equal(int64FromJsonNumber(source), undefined)
  })
}

test('int64FromJsonNumber reads every int64 however its point and exponent are set', () => {
  const zeros = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(fc.bigInt(int64Min, int64Max), zeros, fc.integer({ min: 0, max: 19 }), (value, padding, shift) => {
      const sign = value < 0n ? '-' : ''
      const digits = String(value).replace('-', '').padStart(20, '0')
      const whole = digits.slice(0, 20 - shift).replace(/^0+(?=[0-9])/, '')
      const fraction = digits.slice(20 - shift) + '0'.repeat(padding)

      const source = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}e${shift}`

      assert.equal(int64FromJsonNumber(source), value)
    }),
  )
})

test('int64FromJsonNumber agrees with the exact value of every short decimal', () => {
  const exponent = fc.integer({ min: -25, max: 25 })
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), exponent, (digits, power) => {
      const scaled = power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
      const isWhole = power >= 0 || digits % 10n ** BigInt(-power) === 0n
      const fits = scaled >= int64Min && scaled <= int64Max

      assert.equal(int64FromJsonNumber(`${digits}e${power}`), isWhole && fits ? scaled : undefined)
    }),
  )
})

// A body may have 64 KiB: a reader that looks at every pair of digits would hold up all other requests for seconds.
for (const [what, source] of Object.entries({
  'zeros between ones': `1${'0'.repeat(60_000)}1`,
  'zeros behind the point': `0.${'0'.repeat(60_000)}1`,
  nines: '9'.repeat(60_000),
  'zeros in the exponent': `1e${'0'.repeat(60_000)}1`,
})) {
  test(`int64FromJsonNumber reads a number of 60,000 digits with ${what} fast`, () => {
    const before = process.threadCpuUsage()

    int64FromJsonNumber(source)

    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 250_000, `it took ${user + system} microseconds of CPU`)
  })
}

function spell(text: string): string {
  return text.length > 40 ? `${text.length} digits` : JSON.stringify(text)
}
