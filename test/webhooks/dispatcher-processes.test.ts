import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqliteInMemory } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import { addPets, deliver, upTo, webhook } from '../support/dispatching.ts'

for (const engine of engines) {
  test(`${engine.name}: the next process goes on where the last one ended`, async (t) => {
    const storage = await engine.open(t)
    const receiver = await startReceiver(t)
    await webhook(storage, receiver.url)
    const first = deliver(t, storage)
    await addPets(storage, 3)
    await until(() => receiver.received.length === 3)
    await first.stop()
    await addPets(storage, 3)

    deliver(t, storage)
    await until(() => receiver.received.length >= 6)

    assert.deepEqual(receiver.ids(), upTo(6))
  })
}

test('a position of a lost history holds back no event', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  const { id } = await webhook(storage, receiver.url)
  const lease = await storage.deliveries.acquire('another', 60_000)
  assert.ok(lease)
  const positions = [{ webhookId: id, eventId: 1_000n, attempts: 0 }]
  assert.ok(await storage.deliveries.record(lease, 60_000, { positions, tries: [] }))
  await storage.deliveries.release(lease)
  const { stats } = deliver(t, storage)
  await until(() => stats() !== undefined)

  await addPets(storage, 2)

  await until(() => receiver.received.length >= 2)
  assert.deepEqual(receiver.ids(), upTo(2))
})

test('a position is stored only if the database still has the history in which it was read', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  const { record } = storage.deliveries
  const lineages = new Set<string | undefined>()
  storage.deliveries.record = (lease, leaseMs, given) => {
    lineages.add(given.lineage)
    return record(lease, leaseMs, given)
  }
  deliver(t, storage)

  await addPets(storage, 1)
  await until(async () => (await storage.deliveries.positions()).length === 1)

  const { lineage } = await storage.events.latest()
  assert.ok(lineage !== undefined)
  assert.deepEqual([...lineages], [lineage])
})

test('a process whose lease ends while it connects sends nothing until it has the lease again', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url.replace('127.0.0.1', 'receiver.example'))
  const { promise: connecting, resolve: connect } = Promise.withResolvers<void>()
  const { promise: extended, resolve: extend } = Promise.withResolvers<boolean>()
  let lookups = 0
  const resolve = async () => {
    lookups++
    await connecting
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const leaseMs = 1_000
  const { tries } = deliver(t, storage, { leaseMs, addresses: { allowPrivate: true, resolve } })
  await addPets(storage, 1)
  await until(() => lookups === 1)

  Object.assign(storage.deliveries, { renew: () => extended, record: () => extended })
  const blockedAt = performance.now()
  await until(() => performance.now() > blockedAt + leaseMs)
  let connections = 0
  receiver.server.on('connection', () => connections++)
  connect()
  await until(() => connections === 1)
  assert.deepEqual(receiver.received, [])
  extend(true)
  await until(() => tries.length === 1)

  assert.equal(lookups, 2)
  assert.deepEqual(receiver.ids(), ['1'])
  assert.deepEqual([tries[0]?.attempt, tries[0]?.status], [1, 204])
})

test('postgres: one of two instances delivers, and the other goes on when it stops', async (t) => {
  const url = await postgres.url(t)
  const [one, two] = [await openStorage(url), await openStorage(url)]
  t.after(() => Promise.all([one.close(), two.close()]))
  const receiver = await startReceiver(t)
  await webhook(one, receiver.url)
  const first = deliver(t, one)
  await until(() => first.stats() !== undefined)
  const other = deliver(t, two)
  await addPets(two, 5)
  await until(() => receiver.received.length === 5)
  assert.equal(other.stats(), undefined)

  await first.stop()
  await addPets(one, 5)
  await until(() => receiver.received.length >= 10)

  assert.deepEqual(receiver.ids(), upTo(10))
})

test('postgres: an instance whose lease was taken stores nothing and stops to deliver', async (t) => {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const receiver = await startReceiver(t)
  await webhook(storage, receiver.url)
  const first = deliver(t, storage, { leaseMs: 3_000 })
  await addPets(storage, 1)
  await until(async () => (await storage.deliveries.positions()).length === 1)
  const { deliveries } = storage
  const taken = { ...deliveries, renew: async () => false, record: async () => false, acquire: async () => undefined }
  Object.assign(storage.deliveries, taken)

  await addPets(storage, 1)
  await until(() => first.stats() === undefined)
  await addPets(storage, 1)
  await first.tick()

  assert.ok(receiver.received.length <= 2)
  assert.equal((await storage.deliveries.positions())[0]?.eventId, 1n)
})
