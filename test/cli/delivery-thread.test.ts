import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { newDeliveryThreads, startDeliveryThread } from '../../src/cli/serving/deliveries/delivery-thread.ts'
import { inlineThread } from '../../src/cli/serving/deliveries/inline-thread.ts'
import { type DeliveryFunctions, runDeliveries } from '../../src/cli/serving/deliveries/run-deliveries.ts'
import { lowerPriority } from '../../src/cli/serving/deliveries/run-thread.ts'
import type { Functions } from '../../src/threads/calls.ts'
import { PetStoreError, unavailable } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { type OpenStorage, openStorage } from '../../src/storage/open.ts'
import { openForReading } from '../../src/storage/sqlite/connection/database.ts'
import { superviseThread, type Thread, type ThreadEvent, threadEvents } from '../../src/threads/thread.ts'
import { type Engine, postgres, sqlite, sqliteInMemory, timeouts } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'

const options = {
  source: '/v1',
  allowPrivate: true,
  leaseMs: 60_000,
  pollMs: 5,
  stopTimeoutMs: 60_000,
  observer: { tried: () => undefined, delivered: () => undefined, disabled: () => undefined, failed: () => undefined },
}

interface Shop {
  storage: OpenStorage
  url: string
}

async function openShop(t: TestContext, engine: Engine = sqlite): Promise<Shop> {
  const url = await engine.url(t)
  const storage = await openStorage(url, timeouts)
  t.after(() => storage.close())
  return { storage, url }
}

/** `calls` has the names of what the threads have called of this one. */
function deliver(t: TestContext, { storage, url }: Shop, { beforeStart = () => {} } = {}) {
  const threads: Thread<DeliveryFunctions>[] = []
  const failures: Error[] = []
  const tried: { attempt: number; status: number | undefined }[] = []
  const counts = { delivered: 0 }
  const calls: string[] = []
  const counting = <Theirs extends Functions>(functions: Theirs): Theirs => {
    const counted = Object.entries(functions).map(([name, call]) => [
      name,
      (input: never) => {
        calls.push(name)
        return call(input)
      },
    ])
    return Object.fromEntries(counted) as Theirs
  }
  const newThread = newDeliveryThreads(url, storage.relay && counting({ ...storage.relay }))
  const thread = startDeliveryThread({
    ...options,
    storage,
    observer: {
      tried: ({ attempt, status }) => tried.push({ attempt, status }),
      delivered: (count) => (counts.delivered += count),
      disabled: () => undefined,
      failed: (error) => failures.push(error),
    },
    newThread(threadOptions, functions) {
      beforeStart()
      const started = newThread(threadOptions, counting(functions))
      threads.push(started)
      return started
    },
  })
  t.after(() => thread.stop())
  return { ...thread, threads, failures, tried, counts, calls }
}

async function addPets({ pets }: Storage, count: number): Promise<void> {
  const adding = Array.from({ length: count }, () => pets.create({ name: 'Rex', categoryId: 1n, status: 'available' }))
  await Promise.all(adding)
}

async function addWebhook({ webhooks }: Storage, url: string): Promise<string> {
  const made = await webhooks.create({ url })
  assert.ok(made.outcome === 'created')
  return made.secret
}

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

/** The first event is delivered and noted, so the thread has all that it needs. */
async function untilDelivering(storage: Storage): Promise<void> {
  await addPets(storage, 1)
  await until(async () => (await storage.deliveries.positions())[0]?.eventId === 1n)
}

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

/** Deliveries of a database in memory. */
function deliverInline(t: TestContext, storage: OpenStorage) {
  const failures: Error[] = []
  const thread = startDeliveryThread({
    ...options,
    storage,
    observer: { ...options.observer, failed: (error) => failures.push(error) },
    newThread: inlineThread.bind(undefined, storage),
  })
  t.after(() => thread.stop())
  return { ...thread, failures }
}

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

test('a storage that cannot be opened is opened later, and deliveries stand still meanwhile', async (t) => {
  const { storage } = await openShop(t, sqliteInMemory)
  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)
  const reports: string[] = []
  let opens = 0
  const { failingSince, stop } = runDeliveries(
    { ...options, holder: 'a' },
    {
      first: { call: async (...[name]) => reports.push(name) as never },
      async open() {
        opens++
        if (opens < 3) throw new Error('too many open files')
        return { ...storage, sessions: () => [], async close() {} }
      },
      hasOwnThread: false,
    },
  )
  t.after(() => stop())

  await until(() => failingSince() !== undefined)
  await until(() => failingSince() === undefined)

  assert.deepEqual(reports, ['failed', 'failed'])
  await addPets(storage, 1)
  await until(() => receiver.received.length === 1)
})

test('a system that does not let a thread lower its priority does not keep it from delivering', () => {
  lowerPriority(() => {
    throw new Error('setpriority: operation not permitted')
  })
})

test('there is no thread until a webhook is enabled', async (t) => {
  const { storage, url } = await openShop(t)
  let looks = 0
  const webhooks = { ...storage.webhooks, enabled: () => ((looks += 1), storage.webhooks.enabled()) }
  const delivering = deliver(t, { storage: { ...storage, webhooks }, url })
  await until(() => looks > 0)
  assert.equal(delivering.threads.length, 0)

  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)

  await until(() => delivering.threads.length === 1)
})

test('a thread that cannot be started is started later', async (t) => {
  const shop = await openShop(t)
  const receiver = await startReceiver(t)
  await addWebhook(shop.storage, receiver.url)
  let starts = 0
  const { threads } = deliver(t, shop, {
    beforeStart() {
      starts += 1
      if (starts === 1) throw new Error('There are too many threads.')
    },
  })

  await until(() => threads.length === 1)
})

test('a process that starts takes the lease of a file at once, and its later threads wait for that of another', async (t) => {
  const shop = await openShop(t)
  const receiver = await startReceiver(t)
  await addWebhook(shop.storage, receiver.url)
  // Another process, which was killed.
  const other = await openStorage(shop.url)
  await other.deliveries.acquire('killed', 600_000)
  const { threads, calls } = deliver(t, shop)
  await untilDelivering(shop.storage)

  // The version after this one, beside which it still runs.
  const successor = await openStorage(shop.url)
  t.after(() => Promise.all([other.close(), successor.close()]))
  const lease = await successor.deliveries.acquire('successor', 600_000)
  assert.ok(lease !== undefined)
  await threads[0]?.end()
  await until(() => threads.length === 2)
  calls.length = 0
  // It asks for the lease, and would deliver soon after.
  await until(() => calls.includes('connect'))
  await addPets(shop.storage, 1)
  await wait(500)

  assert.ok(await successor.deliveries.renew(lease, 600_000))
  assert.deepEqual(receiver.ids(), ['1'])
})

/** Starts threads that wait for `gate` to open, and give no result before. */
function startSilent(gate: Int32Array<SharedArrayBuffer>): Thread<DeliveryFunctions> {
  const program = `
    Atomics.wait(require('node:worker_threads').workerData, 0, 0)
    require('node:worker_threads').parentPort.on('message', () => undefined)`
  return superviseThread('delivery', new Worker(program, { eval: true, workerData: gate }))
}

test('a thread that does not respond does not keep the service from stopping', async (t) => {
  const { storage } = await openShop(t, sqliteInMemory)
  await addWebhook(storage, 'http://127.0.0.1:9')
  let starts = 0
  const thread = startDeliveryThread({
    ...options,
    storage,
    stopTimeoutMs: 10,
    newThread() {
      starts++
      return startSilent(new Int32Array(new SharedArrayBuffer(4)))
    },
  })
  await until(() => starts === 1)

  await thread.stop()
})

test('a thread that hangs is noticed and replaced, its numbers are not known, and deliveries go on', async (t) => {
  const { storage, url } = await openShop(t)
  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)
  const events: ThreadEvent[] = []
  const hear = (event: unknown) => events.push(event as ThreadEvent)
  threadEvents.subscribe(hear)
  t.after(() => threadEvents.unsubscribe(hear))
  const newThread = newDeliveryThreads(url, storage.relay)
  let starts = 0
  const delivering = startDeliveryThread({
    ...options,
    storage,
    askTimeoutMs: 1_000,
    newThread: (...input) =>
      ++starts === 1 ? startSilent(new Int32Array(new SharedArrayBuffer(4))) : newThread(...input),
  })
  t.after(() => delivering.stop())
  await addPets(storage, 1)

  await until(() => starts === 1)
  await assert.rejects(delivering.stats())
  // While the thread is silent, it is not known whether it hangs.
  await until(async () => (await delivering.stall().catch(() => undefined))?.reason === 'thread')
  await until(() => receiver.received.length === 1)
  await until(async () => (await delivering.stall().catch(() => 'unknown')) === undefined)

  assert.ok(events.some(({ thread, event }) => thread === 'delivery' && event === 'hangs'))
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
