import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isPetStoreError, UnexpectedResponseError } from '../../client/src/index.ts'
import { type FaultRule, SandboxPetStore, type SeedRecord } from '../../client/src/sandbox.ts'
import { startApp } from '../support/app.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { startSandbox } from '../support/sandbox.ts'

const retry = { baseDelayMs: 2, maxDelayMs: 20 }

async function startShop(t: TestContext) {
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const proxy = await faultyProxy(t, origin)
  const options = { apiKey: 'sandbox_a', retry, onWarning: () => undefined }
  const petstore = new SandboxPetStore({ baseUrl: `${proxy.origin}/v1`, ...options })
  const names = async () => (await petstore.pets.list().toArray()).map(({ name }) => name)
  return { origin, proxy, petstore, sandbox: petstore.sandbox, names }
}

test('a reset makes the shop new: by the first seed, by name, or with chosen ids', async (t) => {
  const { petstore, sandbox, names } = await startShop(t)
  const records: SeedRecord[] = [
    { type: 'category', id: 1, name: 'Dogs' },
    { id: 7, name: 'Rex', categoryId: 1, status: 'available' },
    { id: 9007199254740993n, name: 'Luna', categoryId: 1, status: 'pending' },
    { type: 'order', id: 3, petId: 9007199254740993n, status: 'placed', placedAt: '2026-01-06T09:00:00Z' },
  ]

  await sandbox.reset('empty')
  assert.deepEqual(await names(), [])
  await sandbox.reset()
  assert.equal((await names()).length, 10)
  await sandbox.reset(records)
  assert.deepEqual(
    (await petstore.pets.list().toArray()).map(({ id }) => id),
    [7, 9007199254740993n],
  )
  assert.deepEqual(
    (await petstore.orders.list().toArray()).map(({ id }) => id),
    [3],
  )
  await sandbox.reset([])
  assert.deepEqual(await names(), [])
})

test('an invalid seed is refused with its line and changes nothing', async (t) => {
  const { sandbox, names } = await startShop(t)
  const twice: SeedRecord = { id: 7, name: 'Rex', categoryId: 1 }

  await assert.rejects(
    sandbox.reset([twice, twice]),
    (error) => isPetStoreError(error, 'invalid_body') && /line 2/i.test(error.message),
  )
  await assert.rejects(sandbox.reset([{ id: 2 ** 53, name: 'Rex', categoryId: 1 }]), TypeError)
  assert.equal((await names()).length, 10)
})

test('a snapshot restores the shop as it was', async (t) => {
  const { petstore, sandbox, names } = await startShop(t)
  const pochi = '🐕'.repeat(10_000)
  await petstore.pets.create({ name: pochi, categoryId: 1 })
  const before = await names()

  const snapshot = await sandbox.snapshot()
  await sandbox.reset('empty')
  await sandbox.restore(snapshot)

  assert.deepEqual(await names(), before)
  assert.equal(before.at(-1), pochi)
  assert.equal((await petstore.pets.create({ name: 'Next', categoryId: 1 })).id, 12)
})

test('the clock of the shop is read, set and moved', async (t) => {
  const { petstore, sandbox } = await startShop(t)

  const clock = await sandbox.clock({ now: new Date('2030-12-04T23:00:00Z'), frozen: true })
  assert.deepEqual(clock, { now: '2030-12-04T23:00:00.000Z', speed: 1, frozen: true })
  assert.equal((await sandbox.clock({ advance: 'PT1H' })).now, '2030-12-05T00:00:00.000Z')
  assert.equal((await sandbox.clock()).now, '2030-12-05T00:00:00.000Z')
  await assert.rejects(petstore.pets.get(1), (error) => isPetStoreError(error, 'gone'))
})

test('a clock is not advanced twice when its response is lost', async (t) => {
  const { proxy, sandbox } = await startShop(t)
  await sandbox.clock({ now: '2030-01-01T00:00:00Z', frozen: true })

  proxy.next('swallow')
  await assert.rejects(sandbox.clock({ advance: 'P1D' }))
  assert.equal((await sandbox.clock()).now, '2030-01-02T00:00:00.000Z')
  proxy.next('swallow')
  assert.equal((await sandbox.clock({ now: '2030-03-01T00:00:00Z' })).now, '2030-03-01T00:00:00.000Z')
})

test('faults and the journal show that a client retries a create safely', async (t) => {
  const { petstore, sandbox, names } = await startShop(t)
  const rule: FaultRule = { operation: 'createPet', fault: 'committed-then-cut', times: 1, share: 1 }
  await sandbox.reset('empty')
  assert.deepEqual(await sandbox.faults([rule]), [{ ...rule, applied: 0 }])

  await petstore.pets.create({ name: 'Rex', categoryId: 1 })

  assert.deepEqual(await names(), ['Rex'])
  assert.deepEqual(await sandbox.faults(), [{ ...rule, applied: 1 }])
  const [lost, repeated, ...others] = await sandbox.journal({ operation: 'createPet' })
  assert.deepEqual([lost?.fault, repeated?.status, others], ['committed-then-cut', 201, []])
  assert.equal(lost?.headers['idempotency-key'], repeated?.headers['idempotency-key'])

  await sandbox.clearFaults()
  await sandbox.clearJournal()
  assert.deepEqual([await sandbox.faults(), await sandbox.journal()], [[], []])
})

test('a shop is made wrong, and right again', async (t) => {
  const { petstore, sandbox } = await startShop(t)

  assert.deepEqual(await sandbox.bugs(), [])
  assert.deepEqual(await sandbox.bugs(['limit-101-accepted']), ['limit-101-accepted'])
  assert.equal((await petstore.pets.list({ limit: 101 }).page()).items.length, 10)
  assert.deepEqual(await sandbox.bugs([]), [])
  await assert.rejects(petstore.pets.list({ limit: 101 }).page(), (error) =>
    isPetStoreError(error, 'invalid_parameter'),
  )
})

test('each key is a shop of its own', async (t) => {
  const { origin, sandbox, names } = await startShop(t)
  const other = new SandboxPetStore({ baseUrl: `${origin}/v1`, apiKey: 'sandbox_b' })
  await other.sandbox.reset('empty')

  assert.equal(await other.pets.count(), 0)
  assert.equal((await names()).length, 10)
  assert.deepEqual(await sandbox.journal({ operation: 'resetShop' }), [])
})

test('a service that is no sandbox is not_found', async (t) => {
  const { origin, key } = await startApp(t)
  const { sandbox } = new SandboxPetStore({ baseUrl: `${origin}/v1`, apiKey: key })

  await assert.rejects(sandbox.reset(), (error) => isPetStoreError(error, 'not_found'))
})

test('a snapshot that is not NDJSON is an unexpected response', async () => {
  const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
  const { sandbox } = new SandboxPetStore({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sandbox_a', fetch })

  await assert.rejects(sandbox.snapshot(), UnexpectedResponseError)
})
