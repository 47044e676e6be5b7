import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { ConnectionError, isPetStoreError, PetStore, TimeoutError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { rateLimited, unavailable } from '../support/made-up-answers.ts'
import { assertPassed, unlessStalled } from '../support/promised-time.ts'

test('an unreachable service certainly changed nothing', async () => {
  const gone = new PetStore({ baseUrl: await closedPort(), apiKey: 'key', retry: { baseDelayMs: 2 } })

  for (const call of [
    () => gone.pets.create({ name: 'Rex', categoryId: 1 }),
    () => gone.pets.update(1, { name: 'Max' }),
  ]) {
    await assert.rejects(
      call,
      (error) =>
        error instanceof ConnectionError && error.attempts === 4 && !error.mayHaveSucceeded && error.requestId !== '',
    )
  }
})

test('a call gives up after maxAttempts with the last error', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 3 } })
  proxy.next('reset', unavailable, 'reset', rateLimited)

  await assert.rejects(
    petstore.pets.find(1),
    (error) => error instanceof ConnectionError && error.attempts === 3 && !error.mayHaveSucceeded,
  )
  assert.equal(proxy.requests.length, 3)
})

test('a call does not wait longer than totalTimeoutMs', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { totalTimeoutMs: 5_000 } })
  proxy.next({ ...rateLimited, headers: { ...rateLimited.headers, 'retry-after': '60' } })
  const started = performance.now()

  await assert.rejects(
    petstore.pets.find(1),
    (error) => isPetStoreError(error, 'rate_limited') && error.retryAfterSeconds === 60,
  )
  assert.equal(proxy.requests.length, 1)
  assertPassed(1_000, started)
})

test('all attempts together take at most totalTimeoutMs', async (t) => {
  await unlessStalled(500, async () => {
    const { petstore, proxy } = await startClient(t, { timeoutMs: 60_000, retry: { totalTimeoutMs: 2_000 } })
    proxy.next('hang', 'hang')

    await assert.rejects(petstore.pets.find(1), TimeoutError)
    assert.equal(proxy.requests.length, 1)
  })
})

test('a retry waits for Retry-After', async (t) => {
  let ahead = 0
  const { petstore } = await startClient(t, {}, { rateLimit: 1, clock: () => Date.now() + ahead })
  await petstore.pets.count()
  // Of the minute that the limit is for, half a second is left; the service says a whole one.
  ahead = 59_500
  const started = performance.now()

  await petstore.pets.count()

  // A timer may fire a little early.
  assert.ok(performance.now() - started >= 750)
})

test('an invalid idempotencyKey is an error and not retried', async (t) => {
  const { petstore, proxy } = await startClient(t)

  await assert.rejects(petstore.pets.create({ name: 'Rex', categoryId: 1 }, { idempotencyKey: 'a\nb' }), TypeError)
  assert.equal(proxy.requests.length, 0)
})

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `http://127.0.0.1:${port}/v1`
}
