import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendResult } from '../../src/webhooks/send-result.ts'
import { endpointOf, eventsOf, startFeed } from '../support/feed-deliveries.ts'
import { until } from '../support/until.ts'

test('a webhook that failed in another process waits for its time, with all its failures', async (t) => {
  const stored = [{ webhookId: 1n, eventId: 0n, attempts: 2, failingSince: 5, nextAttemptAt: 1_000_100 }]
  const { delivering, shop, seen, stateOf } = await startFeed(t, [endpointOf(1n)], { events: 1, stored })
  delivering.retryDue()
  assert.deepEqual([stateOf(1n)?.phase, stateOf(1n)?.attempts, seen.sent], ['waiting', 2, []])

  shop.now = 1_000_100
  delivering.retryDue()
  await until(() => seen.told.length === 1)
  assert.deepEqual(seen.told, [[3, 204]])
  await until(() => stateOf(1n)?.phase === 'idle')
  assert.deepEqual([stateOf(1n)?.attempts, stateOf(1n)?.nextAttemptAt], [0, undefined])
})

test('a webhook that waits is tried at once when it gets another address, and its failures are forgotten', async (t) => {
  let status = 500
  const { delivering, seen, stateOf, shop } = await startFeed(t, [endpointOf(1n)], { events: 1, respond: () => status })
  await until(() => stateOf(1n)?.phase === 'waiting')
  assert.deepEqual([stateOf(1n)?.failingSince, stateOf(1n)?.shopFailingSince], [1_000_000, 1_000_005])
  await until(() => seen.positions.get(1n)?.attempts === 1)
  shop.endpoints = [endpointOf(1n)]
  await delivering.use(shop.endpoints)
  assert.equal(seen.sent.length, 1)

  status = 204
  await delivering.use([endpointOf(1n, { activeSince: 2 })])
  assert.equal(stateOf(1n)?.phase, 'sending')
  await until(() => stateOf(1n)?.phase === 'idle')
  await delivering.stop(0)
  assert.deepEqual([seen.positions.get(1n)?.attempts, seen.sent.length], [0, 2])
  assert.deepEqual(seen.told, [
    [1, 500],
    [1, 204],
  ])
})

test('that the failures of another address are forgotten is stored before the new one has responded', async (t) => {
  const responding = Promise.withResolvers<SendResult>()
  const { delivering, seen, stateOf } = await startFeed(t, [endpointOf(1n)], {
    events: 1,
    respond: () => (seen.sent.length === 1 ? 500 : responding.promise),
  })
  await until(() => seen.positions.get(1n)?.attempts === 1)

  await delivering.use([endpointOf(1n, { activeSince: 2 })])
  await until(() => seen.positions.get(1n)?.attempts === 0)

  assert.deepEqual([stateOf(1n)?.phase, seen.sent.length], ['sending', 2])
  responding.resolve({ status: 204, durationMs: 1 })
})

test('a webhook that could not be disabled waits for its next try', async (t) => {
  const { seen, stateOf, shop, delivering } = await startFeed(t, [endpointOf(1n)], { events: 1, respond: () => 410 })
  shop.disabling = () => Promise.reject(new Error('the disk is full'))
  await until(() => seen.failed.length === 1 || stateOf(1n) === undefined)
  assert.deepEqual([seen.failed, stateOf(1n)?.phase], [['the disk is full'], 'waiting'])

  // It is another by now.
  shop.disabling = async () => false
  shop.now += 10_000
  delivering.retryDue()
  await until(() => seen.disabled.length === 2)
  await until(() => stateOf(1n)?.phase === 'waiting')
  assert.deepEqual(seen.told, [
    [1, 410],
    [2, 410],
  ])
})

test('an event that cannot be read is told, and is tried again after a second', async (t) => {
  const { seen, stateOf, shop, delivering, add } = await startFeed(t, [endpointOf(1n)])
  add(1)
  shop.isReadable = false
  await assert.rejects(delivering.poll())
  shop.isReadable = true
  await delivering.poll()
  await until(() => stateOf(1n)?.phase === 'idle')

  const behind = await startFeed(t, [], { events: 1 })
  behind.shop.isReadable = false
  await behind.delivering.use([endpointOf(1n)])
  await until(() => behind.stateOf(1n)?.phase === 'waiting')
  assert.deepEqual([behind.seen.failed, behind.stateOf(1n)?.nextAttemptAt], [['the database is away'], 1_001_000])
  assert.deepEqual([seen.failed, seen.sent.length], [[], 1])
})

test('a try that failed is repeated when its time has come, without a look for events', async (t) => {
  const stored = [{ webhookId: 1n, eventId: 0n, attempts: 1, failingSince: 5, nextAttemptAt: 1_000_020 }]
  const { shop, seen } = await startFeed(t, [endpointOf(1n)], { events: 1, stored })
  shop.now = 1_000_020

  await until(() => seen.told.length === 1)
  assert.deepEqual(seen.told, [[2, 204]])
})

test('failures of an event that is not wanted any more do not count for the next one', async (t) => {
  const stored = [{ webhookId: 1n, eventId: 0n, attempts: 2, failingSince: 5, nextAttemptAt: 1_000_000 }]
  const { delivering, add, seen, shop, stateOf } = await startFeed(t, [], { events: 1, stored })
  add(1, 'pet.deleted')
  shop.endpoints = [endpointOf(1n, { types: new Set(['petstore.pet.deleted']) })]
  await delivering.poll()
  delivering.retryDue()
  await until(() => stateOf(1n)?.phase === 'idle' && stateOf(1n)?.position === 2n)

  assert.deepEqual([seen.sent, seen.told], [[`2 ${endpointOf(1n).url}`], [[1, 204]]])
})

test('each webhook that waits is tried when its own time has come', async (t) => {
  const waiting = (webhookId: bigint, nextAttemptAt: number) => ({
    webhookId,
    eventId: 0n,
    attempts: 1,
    failingSince: 5,
    nextAttemptAt,
  })
  const stored = [waiting(1n, 1_000_020), waiting(2n, 1_000_040)]
  const { shop, seen } = await startFeed(t, [endpointOf(1n), endpointOf(2n)], { events: 1, stored })
  shop.now = 1_000_020
  await until(() => seen.told.length === 1)
  shop.now = 1_000_040
  await until(() => seen.told.length === 2)

  assert.deepEqual([eventsOf(seen.sent, 1n), eventsOf(seen.sent, 2n)], [[1], [1]])
})
