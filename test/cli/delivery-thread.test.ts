import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { startDeliveryThread } from '../../src/cli/serving/deliveries/delivery-thread.ts'
import { inlineThread } from '../../src/cli/serving/deliveries/inline-thread.ts'
import { PetStoreError, unavailable } from '../../src/inventory/errors.ts'
import type { OpenStorage } from '../../src/storage/open.ts'
import { openForReading } from '../../src/storage/sqlite/connection/database.ts'
import { postgres, sqlite, sqliteInMemory } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'
import {
  addPets,
  addWebhook,
  deliver,
  openShop,
  deliveryOptions,
  untilDelivering,
} from '../support/delivery-threads.ts'

test('deliveries and their notes need no turn of the event loop that serves requests', async (t) => {
  const shop = await openShop(t)
  const receiver = await startCountingReceiver(t)
  await addWebhook(shop.storage, receiver.url)
  deliver(t, shop)
  await untilDelivering(shop.storage)
  const reader = openForReading(shop.url.replace('sqlite:', ''))
  t.after(() => reader.close())
  const stored = reader.prepare('SELECT event_id FROM delivery_positions')
  const isStored = () => stored.get()?.['event_id'] === 201n
  await addPets(shop.storage, 200)

  // Nothing else runs in this thread until the last event has come and the thread has noted it.
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && !(Atomics.load(receiver.count, 0) === 201 && isStored())) {
    Atomics.wait(receiver.count, 0, Atomics.load(receiver.count, 0), 20)
  }

  assert.equal(Atomics.load(receiver.count, 0), 201)
  assert.ok(isStored())
})

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a thread calls nothing of the first one for 200 deliveries`, async (t) => {
    const shop = await openShop(t, engine)
    const receiver = await startReceiver(t)
    await addWebhook(shop.storage, receiver.url)
    const { calls, counts } = deliver(t, shop)
    await untilDelivering(shop.storage)
    calls.length = 0

    await addPets(shop.storage, 200)
    await until(async () => (await shop.storage.deliveries.positions())[0]?.eventId === 201n)

    assert.equal(receiver.received.length, 201)
    assert.deepEqual(calls, [])
    await until(() => counts.delivered === 201)
  })

  test(`${engine.name}: a thread delivers in order and signed, counts what it delivers, and another goes on if it ends`, async (t) => {
    const shop = await openShop(t, engine)
    const { storage } = shop
    const receiver = await startReceiver(t)
    const secret = await addWebhook(storage, receiver.url)
    const delivering = deliver(t, shop)
    await addPets(storage, 3)
    await until(() => delivering.counts.delivered === 3)
    // A thread on a busy machine may respond too late.
    await until(async () => (await delivering.stats().catch(() => undefined))?.dispatcher?.healthy === 1)
    // The position is stored: the next thread repeats nothing.
    await until(async () => (await storage.deliveries.positions())[0]?.eventId === 3n)

    await delivering.threads[0]?.end()
    await addPets(storage, 2)
    await until(() => receiver.received.length === 5)

    assert.deepEqual(receiver.ids(), ['1', '2', '3', '4', '5'])
    for (const each of receiver.received) verify(each, secret)
    assert.equal(delivering.threads.length, 2)
    await delivering.stop()
    assert.equal((await storage.deliveries.positions())[0]?.eventId, 5n)
    assert.deepEqual(delivering.failures, [])
  })
}

test('postgres: a thread has two connections, which are counted', async (t) => {
  const shop = await openShop(t, postgres)
  const receiver = await startReceiver(t)
  await addWebhook(shop.storage, receiver.url)
  const { stats } = deliver(t, shop)
  await untilDelivering(shop.storage)

  const sessions = (await stats()).sessions.map(({ role, open }) => ({ role, open }))

  assert.deepEqual(sessions, [
    { role: 'writer', open: 1 },
    { role: 'reader', open: 1 },
  ])
})

test('an endpoint that is gone is disabled', async (t) => {
  const shop = await openShop(t)
  const receiver = await startReceiver(t, () => 410)
  await addWebhook(shop.storage, receiver.url)
  const { calls } = deliver(t, shop)
  await addPets(shop.storage, 1)

  await until(async () => (await shop.storage.webhooks.enabled()).length === 0)

  await until(() => calls.includes('disabled'))
  assert.equal((await shop.storage.webhooks.find(1n))?.disabledReason, 'gone')
})

test('events of a database in memory are delivered without a thread', async (t) => {
  const { storage } = await openShop(t, sqliteInMemory)
  const receiver = await startReceiver(t)
  const secret = await addWebhook(storage, receiver.url)
  const { stats, stall, stop, failures } = deliverInline(t, storage)

  await addPets(storage, 3)
  await until(() => receiver.received.length === 3)

  assert.equal((await stats()).dispatcher?.healthy, 1)
  assert.equal(await stall(), undefined)
  await stop()
  for (const each of receiver.received) verify(each, secret)
  assert.equal((await storage.deliveries.positions())[0]?.eventId, 3n)
  assert.deepEqual(failures, [])
})

test('failures, and the success after them, are reported one by one', async (t) => {
  const shop = await openShop(t)
  const { storage } = shop
  let status = 500
  const receiver = await startReceiver(t, () => status)
  await addWebhook(storage, receiver.url)
  const delivering = deliver(t, shop)
  await until(() => delivering.threads.length === 1)
  // On a busy machine a thread takes longer to start than it has to answer.
  await until(async () => (await delivering.stats().catch(() => undefined))?.dispatcher !== undefined)
  await addPets(storage, 2)

  await until(() => delivering.tried.length > 0)
  status = 204
  // Another address is tried at once.
  await storage.webhooks.update(1n, { url: `${receiver.url}/other` })

  // The log learns of the recovery also if it is the first try of an event.
  await until(() => delivering.counts.delivered === 1)
  // On a busy machine the address may fail more than once before it is changed.
  const statuses = delivering.tried.map((each) => each.status)
  assert.deepEqual([...new Set(statuses)], [500, 204])
})

test('an outage of the storage is reported as one, and any other error as a fault', async (t) => {
  const { storage } = await openShop(t, sqliteInMemory)
  await addWebhook(storage, 'http://127.0.0.1:9')
  const reasons = [unavailable('The disk is full.', new Error('ENOSPC')), new Error('a bug')]
  const enabled = async () => {
    const reason = looks++ === 0 ? undefined : reasons.shift()
    if (reason !== undefined) throw reason
    return storage.webhooks.enabled()
  }
  let looks = 0

  const { failures } = deliverInline(t, { ...storage, webhooks: { ...storage.webhooks, enabled } })
  await until(() => failures.length >= 2)

  const [outage, fault] = failures
  assert.ok(outage instanceof PetStoreError && outage.code === 'unavailable')
  assert.equal(outage.message, 'The disk is full: ENOSPC.')
  assert.ok(!(fault instanceof PetStoreError))
  assert.equal(fault?.message, 'a bug')
})

/** A receiver that needs no event loop of the test: it counts what it gets in shared memory. */
async function startCountingReceiver(t: TestContext): Promise<{ url: string; count: Int32Array<SharedArrayBuffer> }> {
  const count = new Int32Array(new SharedArrayBuffer(4))
  const program = `
    const { createServer } = require('node:http')
    const { parentPort, workerData } = require('node:worker_threads')
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        Atomics.add(workerData, 0, 1)
        Atomics.notify(workerData, 0)
        response.writeHead(204).end()
      })
    })
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`
  const receiver = new Worker(program, { eval: true, workerData: count })
  t.after(() => receiver.terminate())
  const [port] = (await once(receiver, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, count }
}

/** Deliveries of a database in memory. */
function deliverInline(t: TestContext, storage: OpenStorage) {
  const failures: Error[] = []
  const thread = startDeliveryThread({
    ...deliveryOptions,
    storage,
    observer: { ...deliveryOptions.observer, failed: (error) => failures.push(error) },
    newThread: inlineThread.bind(undefined, storage),
  })
  t.after(() => thread.stop())
  return { ...thread, failures }
}
