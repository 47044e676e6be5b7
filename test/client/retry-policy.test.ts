import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, PetStoreError } from '../../client/src/errors.ts'
import { mayTryAgain, pauseBefore, readRetryAfter, retryPolicy } from '../../client/src/retry.ts'

const details = { requestId: 'r', attempts: 1, mayHaveSucceeded: false }
const policy = retryPolicy()

test('the pause is a random share of one that doubles up to its bound', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((retry) => pauseBefore(retry, undefined, policy, () => 1))
  const shortest = pauseBefore(8, undefined, policy, () => 0)

  assert.deepEqual(longest, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  assert.equal(shortest, 0)
})

test('what the service asks for comes before the random share', () => {
  assert.equal(
    pauseBefore(1, refusal('rate_limited', 3), policy, () => 0.5),
    3125,
  )
})

test('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-11-15T09:30:00Z')

  assert.equal(readRetryAfter('120', now), 120)
  assert.equal(readRetryAfter('Sun, 15 Nov 2026 09:30:07 GMT', now), 7)
  assert.equal(readRetryAfter('Sun, 15 Nov 2026 09:29:00 GMT', now), 0)
  assert.equal(readRetryAfter('soon', now), undefined)
  assert.equal(readRetryAfter(null, now), undefined)
})

for (const code of ['rate_limited', 'unavailable', 'request_timeout'] as const) {
  test(`${code} may pass: anything is tried again`, () => {
    assert.equal(mayTryAgain(refusal(code), 'once'), true)
  })
}

for (const code of ['invalid_body', 'unauthorized', 'forbidden', 'not_found', 'gone', 'internal'] as const) {
  test(`${code} does not pass: nothing is tried again`, () => {
    assert.equal(mayTryAgain(refusal(code), 'repeatable'), false)
  })
}

test('a conflict is tried again only when the service asks for it', () => {
  assert.equal(mayTryAgain(refusal('conflict'), 'repeatable'), false)
  assert.equal(mayTryAgain(refusal('conflict', 1), 'repeatable'), true)
})

function refusal(code: ErrorCode, retryAfterSeconds?: number): PetStoreError {
  return new PetStoreError({ code, message: 'No.', status: 400 }, details, retryAfterSeconds)
}
