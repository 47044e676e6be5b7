import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryAfter, retryDelayMs } from '../../client/src/backoff.ts'
import { PetStoreError } from '../../client/src/errors.ts'
import { readRetryOptions } from '../../client/src/read-options.ts'
import { pause } from '../../client/src/deadline.ts'

const policy = readRetryOptions()

test('the delay is a random part of a delay that doubles up to its maximum', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8].map((retry) => retryDelayMs(retry, undefined, policy, () => 1))
  const shortest = retryDelayMs(8, undefined, policy, () => 0)

  assert.deepEqual(longest, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  assert.equal(shortest, 0)
})

test('the delay never exceeds its maximum', () => {
  assert.equal(
    retryDelayMs(10_000, undefined, policy, () => 1),
    10_000,
  )
})

test('the delay is Retry-After plus a random part', () => {
  const details = {
    operation: 'listPets',
    requestId: 'r',
    attempts: 1,
    mayHaveSucceeded: false,
    failure: 'deferred',
  } as const
  const error = new PetStoreError(
    { code: 'rate_limited', message: 'No.', status: 429 },
    { ...details, retryAfterSeconds: 3 },
  )

  assert.equal(
    retryDelayMs(1, error, policy, () => 0.5),
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

test('a pause is at most the longest timer', async (t) => {
  const timers = t.mock.method(globalThis, 'setTimeout')
  const aborter = new AbortController()

  for (const delayMs of [2 ** 31, 1e12, Infinity]) {
    const pausing = pause(delayMs, aborter.signal)
    pausing.catch(() => undefined)
  }
  aborter.abort()

  assert.deepEqual(
    timers.mock.calls.map(({ arguments: [, delayMs] }) => delayMs),
    [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
  )
})
