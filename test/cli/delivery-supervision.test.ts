import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { newDeliveryThreads, startDeliveryThread } from '../../src/cli/serving/deliveries/delivery-thread.ts'
import { type DeliveryFunctions, runDeliveries } from '../../src/cli/serving/deliveries/run-deliveries.ts'
import { lowerPriority } from '../../src/cli/serving/deliveries/run-thread.ts'
import { openStorage } from '../../src/storage/open.ts'
import { superviseThread, type Thread, type ThreadEvent, threadEvents } from '../../src/threads/thread.ts'
import { sqliteInMemory } from '../support/engines.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import {
  addPets,
  addWebhook,
  deliver,
  openShop,
  deliveryOptions,
  untilDelivering,
} from '../support/delivery-threads.ts'

test('a storage that cannot be opened is opened later, and deliveries stand still meanwhile', async (t) => {
  const { storage } = await openShop(t, sqliteInMemory)
  const receiver = await startReceiver(t)
  await addWebhook(storage, receiver.url)
  const reports: string[] = []
  let opens = 0
  const { failingSince, stop } = runDeliveries(
    { ...deliveryOptions, holder: 'a' },
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

test('a thread that does not respond does not keep the service from stopping', async (t) => {
  const { storage } = await openShop(t, sqliteInMemory)
  await addWebhook(storage, 'http://127.0.0.1:9')
  let starts = 0
  const thread = startDeliveryThread({
    ...deliveryOptions,
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
    ...deliveryOptions,
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

/** Starts threads that wait for `gate` to open, and give no result before. */
function startSilent(gate: Int32Array<SharedArrayBuffer>): Thread<DeliveryFunctions> {
  const program = `
    Atomics.wait(require('node:worker_threads').workerData, 0, 0)
    require('node:worker_threads').parentPort.on('message', () => undefined)`
  return superviseThread('delivery', new Worker(program, { eval: true, workerData: gate }))
}
