import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { newDeliveryThread, startDeliveryThread } from '../../src/cli/serving/deliveries/delivery-thread.ts'
import { type DeliveryFunctions, lowerPriority } from '../../src/cli/serving/deliveries/run-thread.ts'
import { PetStoreError, unavailable } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { superviseThread, type Thread, type ThreadEvent, threadEvents } from '../../src/threads/thread.ts'
import type { DispatcherStorage } from '../../src/webhooks/dispatcher-storage.ts'
import { engines, sqliteInMemory } from '../support/engines.ts'
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

function deliver(t: TestContext, storage: DispatcherStorage, { beforeStart = () => {} } = {}) {
  const threads: Thread<DeliveryFunctions>[] = []
  const failures: Error[] = []
  const tried: { attempt: number; status: number | undefined }[] = []
  const counts = { delivered: 0 }
  const thread = startDeliveryThread({
    ...options,
    storage,
    observer: {
      tried: ({ attempt, status }) => tried.push({ attempt, status }),
      delivered: (count) => (counts.delivered += count),
      disabled: () => undefined,
      failed: (error) => failures.push(error),
    },
    newThread(data, functions) {
      beforeStart()
      const started = newDeliveryThread(data, functions)
      threads.push(started)
      return started
    },
  })
  t.after(() => thread.stop())
  return { ...thread, threads, failures, tried, counts }
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

test('deliveries need no turn of the event loop that serves requests', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startCountingReceiver(t)
  await addWebhook(storage, receiver.url)
  await addPets(storage, 51)
  const { promise: sending, resolve: begins } = Promise.withResolvers<void>()
  let latest = 0n
  deliver(t, {
    ...storage,
    events: {
      ...storage.events,
      // The thread begins before the events, so that it reads them as new ones.
      latest: async () => ({ ...(await storage.events.latest()), id: 0n }),
      async list(...input) {
        const page = await storage.events.list(...input)
        latest = page.items.at(-1)?.id ?? latest
        return page
      },
    },
    webhooks: {
      ...storage.webhooks,
      // What the thread asks for last before it sends.
      async enabled() {
        const endpoints = await storage.webhooks.enabled()
        if (latest === 51n) setImmediate(begins)
        return endpoints
      },
    },
  })
  await sending

  // Nothing else runs in this thread until the last event has come.
  const deadline = Date.now() + 60_000
  for (let got = 0; got < 51 && Date.now() < deadline; ) {
    got = Atomics.load(receiver.count, 0)
    if (got < 51) Atomics.wait(receiver.count, 0, got, 1_000)
  }

  assert.equal(Atomics.load(receiver.count, 0), 51)
})

for (const engine of engines) {
  test(`${engine.name}: a thread delivers in order and signed, counts what it delivers, and another goes on if it ends`, async (t) => {
    const storage = await engine.open(t)
    const receiver = await startReceiver(t)
    const secret = await addWebhook(storage, receiver.url)
    const delivering = deliver(t, storage)
    await addPets(storage, 3)
    await until(() => delivering.counts.delivered === 3)
    // A thread on a busy machine may respond too late.
    await until(async () => (await delivering.stats().catch(() => undefined))?.healthy === 1)
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
  })
}

test('a system that does not let a thread lower its priority does not keep it from delivering', () => {
  lowerPriority(() => {
    throw new Error('setpriority: operation not permitted')
  })
})

test('there is no thread until a webhook is enabled', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let looks = 0
  const webhooks = { ...storage.webhooks, enabled: () => ((looks += 1), storage.webhooks.enabled()) }
  const delivering = deliver(t, { ...storage, webhooks })
  await until(() => looks > 0)
  assert.equal(delivering.threads.length, 0)

  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)

  await until(() => delivering.threads.length === 1)
})

test('a thread that cannot be started is started later', async (t) => {
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)
  let starts = 0
  const { threads } = deliver(t, storage, {
    beforeStart() {
      starts += 1
      if (starts === 1) throw new Error('There are too many threads.')
    },
  })

  await until(() => threads.length === 1)
})

/** Starts threads that wait for `gate` to open, and give no result before. */
function startSilent(gate: Int32Array<SharedArrayBuffer>): Thread<DeliveryFunctions> {
  const program = `
    Atomics.wait(require('node:worker_threads').workerData, 0, 0)
    require('node:worker_threads').parentPort.on('message', () => undefined)`
  return superviseThread('delivery', new Worker(program, { eval: true, workerData: gate }))
}

test('a thread that does not respond does not keep the service from stopping', async (t) => {
  const storage = await sqliteInMemory.open(t)
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
  const storage = await sqliteInMemory.open(t)
  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)
  const events: ThreadEvent[] = []
  const hear = (event: unknown) => events.push(event as ThreadEvent)
  threadEvents.subscribe(hear)
  t.after(() => threadEvents.unsubscribe(hear))
  let starts = 0
  const delivering = startDeliveryThread({
    ...options,
    storage,
    tickTimeoutMs: 1_000,
    newThread: (...input) =>
      ++starts === 1 ? startSilent(new Int32Array(new SharedArrayBuffer(4))) : newDeliveryThread(...input),
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
  const storage = await sqliteInMemory.open(t)
  let status = 500
  const receiver = await startReceiver(t, () => status)
  await addWebhook(storage, receiver.url)
  const delivering = deliver(t, storage)
  await until(() => delivering.threads.length === 1)
  // On a busy machine a thread takes longer to start than it has to answer.
  await until(async () => (await delivering.stats().catch(() => undefined)) !== undefined)
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
  const storage = await sqliteInMemory.open(t)
  await addWebhook(storage, 'http://127.0.0.1:9')
  const reasons = [unavailable('The disk is full.', new Error('ENOSPC')), new Error('a bug')]
  const deliveries = { ...storage.deliveries, acquire: () => Promise.reject(reasons.shift() ?? unavailable('Gone.')) }

  const { failures } = deliver(t, { ...storage, deliveries })
  await until(() => failures.length >= 2)

  const [outage, fault] = failures
  assert.ok(outage instanceof PetStoreError && outage.code === 'unavailable')
  assert.equal(outage.message, 'The disk is full: ENOSPC.')
  assert.ok(!(fault instanceof PetStoreError))
  assert.equal(fault?.message, 'a bug')
})
