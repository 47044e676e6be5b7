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

test('Retry-After is a number of seconds or a date by the clock of the service', () => {
  const date = 'Sun, 15 Nov 2026 09:30:00 GMT'
  const read = (value: string | undefined, more = {}) =>
    readRetryAfter(new Headers({ ...(value !== undefined && { 'retry-after': value }), ...more }))

  assert.equal(read('120', { date }), 120)
  assert.equal(read('Sun, 15 Nov 2026 09:30:07 GMT', { date }), 7)
  assert.equal(read('Sun, 15 Nov 2026 09:29:00 GMT', { date }), 0)
  assert.equal(read('soon', { date }), undefined)
  assert.equal(read(undefined, { date }), undefined)
  assert.equal(readRetryAfter(undefined), undefined)
})

test('a date in Retry-After is compared with the own clock if the response has no Date that can be read', () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()

  for (const more of [{}, { date: 'now' }]) {
    const seconds = readRetryAfter(new Headers({ 'retry-after': inAMinute, ...more })) ?? 0
    assert.ok(seconds > 50 && seconds <= 60, `${seconds}`)
  }
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
