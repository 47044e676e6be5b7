import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isPetStoreError, PetStore, TimeoutError, version } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { unavailable } from '../support/made-up-answers.ts'

test("a call's timeoutMs is not cut by a totalTimeoutMs that it did not ask for", async (t) => {
  for (const options of [{ timeoutMs: 20, retry: { totalTimeoutMs: 20 } }, { timeoutMs: 20 }]) {
    const { petstore, proxy } = await startClient(t, options)
    const timers = t.mock.method(globalThis, 'setTimeout')
    proxy.next(unavailable)

    await petstore.pets.find(1, { timeoutMs: 70_000 })

    const longest = Math.max(...timers.mock.calls.map(({ arguments: [, ms] }) => ms ?? 0))
    assert.ok(longest > 60_000, `${longest}`)
    timers.mock.restore()
  }
})

test("a client's timeoutMs extends the default totalTimeoutMs", async (t) => {
  const { petstore } = await startClient(t, { timeoutMs: 90_000 })
  const timers = t.mock.method(globalThis, 'setTimeout')

  await petstore.pets.find(1)

  assert.ok(timers.mock.calls.some(({ arguments: [, ms = 0] }) => ms > 60_000))
})

test('a call takes its own retry and totalTimeoutMs', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(unavailable, unavailable, 'hang')

  await assert.rejects(petstore.pets.find(1, { retry: { maxAttempts: 2 } }), { attempts: 2 })
  await assert.rejects(petstore.pets.find(1, { timeoutMs: 60_000, retry: { totalTimeoutMs: 50 } }), TimeoutError)
  await assert.rejects(petstore.pets.find(1, { retry: { maxAttempts: 0 } }), /^TypeError: retry.maxAttempts must be/)
})

test('a call takes its own headers, which go before those of the client', async (t) => {
  const { petstore, proxy } = await startClient(t, { defaultHeaders: { 'X-Team': 'shop', 'X-App': 'web' } })

  await petstore.pets.find(1, { headers: { 'x-team': 'stock', 'X-Request-Id': 'mine' } })
  const error = await petstore.pets.get(1, { headers: { 'x-request-id': 'other' } }).catch((error: unknown) => error)

  const [first] = proxy.requests
  assert.deepEqual([first?.headers['x-team'], first?.headers['x-app']], ['stock', 'web'])
  assert.equal(first?.headers['x-request-id'], 'mine')
  assert.ok(isPetStoreError(error) && error.requestId === 'other')
  await assert.rejects(petstore.pets.find(1, { headers: { 'x-team': 'a\nb' } }), TypeError)
})

test('requests name the library and its version', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const manifest = JSON.parse(readFileSync(new URL('../../client/package.json', import.meta.url), 'utf8'))

  await petstore.pets.count()

  assert.equal(version, manifest.version)
  assert.equal(proxy.requests[0]?.headers['user-agent'], `petstore-client/${version}`)
})

test('a function is asked for the key before every attempt', async (t) => {
  let count = 0
  const { proxy, service } = await startClient(t)
  const petstore = new PetStore({
    baseUrl: `${proxy.origin}/v1`,
    apiKey: async () => (++count === 1 ? 'pet_live_old' : service.key),
    retry: { baseDelayMs: 1 },
  })
  proxy.next(unavailable)

  assert.equal(await petstore.pets.count(), 0)

  assert.deepEqual(
    proxy.requests.map(({ headers }) => headers.authorization),
    ['Bearer pet_live_old', `Bearer ${service.key}`],
  )
})

test('an error of the function for the key is passed on, and one that hangs ends with a timeout', async () => {
  const fault = new Error('The vault is closed.')
  const clientWith = (apiKey: () => Promise<string>) =>
    new PetStore({ baseUrl: 'http://127.0.0.1:1/v1', apiKey, retry: { maxAttempts: 1 } })

  await assert.rejects(clientWith(() => Promise.reject(fault)).pets.find(1), (error) => error === fault)
  await assert.rejects(clientWith(async () => 'a b').pets.find(1), /^TypeError: apiKey must be/)
  await assert.rejects(
    clientWith(() => new Promise(() => undefined)).pets.create({ name: 'Rex', categoryId: 1 }, { timeoutMs: 20 }),
    (error) => error instanceof TimeoutError && !error.mayHaveSucceeded,
  )
})

test('a signal may be null, a filter may not, and a missing baseUrl is named', async (t) => {
  const { petstore } = await startClient(t)

  assert.equal(await petstore.pets.count({}, { signal: null }), 0)
  assert.deepEqual(await Array.fromAsync(petstore.pets.list({}, { signal: null })), [])
  await assert.rejects(
    petstore.pets.count({ status: null as unknown as 'sold' }),
    /^TypeError: status must not be null/,
  )
  for (const baseUrl of [undefined, null]) {
    assert.throws(
      () => new PetStore({ baseUrl: baseUrl as unknown as string, apiKey: 'key' }),
      /^TypeError: baseUrl must/,
    )
  }
})
