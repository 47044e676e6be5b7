import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/cli/shared/failure.ts'
import { readFutureTime } from '../../src/cli/future-time.ts'
import { hour } from '../support/cli-keys.ts'

for (const [text, at] of Object.entries({
  '30s': 30_000,
  '30m': hour / 2,
  '12h': 12 * hour,
  '90d': 90 * 24 * hour,
  '1970-01-31': 30 * 24 * hour,
  '2099-12-31': Date.UTC(2099, 11, 31),
  '2096-02-29': Date.UTC(2096, 1, 29),
  '2099-12-31T23:59:59Z': Date.UTC(2099, 11, 31, 23, 59, 59),
})) {
  test(`a moment may be ${text}`, () => {
    assert.equal(readFutureTime('--expires', text, 0), at)
  })
}

for (const text of [
  'tomorrow',
  '',
  '90',
  'd',
  '-1d',
  '1.5h',
  ' 1d',
  '1w',
  '2099-13-01',
  '2099-02-31',
  '2099-01-31T25:00Z',
  '999999999d',
]) {
  test(`a moment may not be "${text}"`, () => {
    assert.throws(
      () => readFutureTime('--expires', text, 0),
      (error) => {
        assert.ok(error instanceof Failure)
        assert.match(error.message, /^--expires must be a time such as 90d, 12h, 30m or 2027-01-31, got ".*"\.$/)
        assert.ok(error.message.includes(`"${text}"`))
        return true
      },
    )
  })
}

test('a key cannot expire in the moment in which it is made, but one that is replaced can', () => {
  assert.throws(() => readFutureTime('--expires', '0d', 0), { message: '--expires must be in the future, got "0d".' })
  assert.equal(readFutureTime('--grace', '0d', 0, { mayBeNow: true }), 0)
})

test('a moment may not be past', () => {
  assert.throws(() => readFutureTime('--grace', '2020-01-01', Date.UTC(2020, 0, 2), { mayBeNow: true }), {
    message: '--grace must be now or in the future, got "2020-01-01".',
  })
})
