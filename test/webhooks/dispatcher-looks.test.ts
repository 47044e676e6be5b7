import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'
import {
  dispatch,
  endpointOf,
  leaseMs,
  monotonicNow,
  refreshMs,
  toLeadAfterWrite,
} from '../support/dispatcher-looks.ts'

test('the storage is asked when something was written, and for webhooks not more often than is needed', async (t) => {
  const { look, shop } = dispatch(t, [endpointOf(1n)])

  assert.deepEqual(await look(), toLeadAfterWrite)
  assert.deepEqual(await look(refreshMs), ['enabled'])
  assert.deepEqual(await look(refreshMs), [])
  shop.version++
  assert.deepEqual(await look(), ['enabled', 'list'])
  shop.version++
  assert.deepEqual(await look(), ['list'])
  assert.deepEqual(await look(refreshMs - 5_000), [])
  assert.deepEqual(await look(5_000), ['enabled'])
  assert.deepEqual(await look(refreshMs), [])
})

test('webhooks are looked for as soon as the interval is over, also if the lease is short', async (t) => {
  const { look, shop } = dispatch(t, [endpointOf(1n)], {
    leaseMs: 6_000,
    refreshMs: 3_000,
    monotonicClock: () => 1_000,
  })
  shop.lease = undefined

  assert.deepEqual(await look(), ['enabled', 'acquire 6000'])
  assert.deepEqual(await look(2_999), [])
  assert.deepEqual(await look(1), ['enabled', 'acquire 6000'])
})

test('a look that fails is told, counts since the first, and is repeated without another write', async (t) => {
  const { look, shop, dispatcher, failures } = dispatch(t, [endpointOf(1n)])
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
  shop.failing = 'latest'
  await look()
  t.mock.timers.setTime(2_000)
  await look(refreshMs)
  assert.deepEqual([failures, dispatcher.failingSince()], [['latest failed', 'latest failed'], 1_000])

  shop.failing = undefined
  assert.deepEqual(await look(refreshMs), toLeadAfterWrite)
  assert.equal(dispatcher.failingSince(), undefined)
  shop.failing = 'list'
  shop.version++
  await look()
  assert.equal(dispatcher.failingSince(), 2_000)
  shop.failing = undefined
  assert.deepEqual(await look(), ['list'])
  assert.equal(dispatcher.failingSince(), undefined)
})

test('a process that does not lead fails no longer once it can read webhooks', async (t) => {
  const { look, shop, dispatcher } = dispatch(t, [endpointOf(1n)])
  shop.lease = undefined
  shop.failing = 'enabled'
  await look()
  assert.notEqual(dispatcher.failingSince(), undefined)

  shop.failing = undefined
  assert.deepEqual(await look(refreshMs), ['enabled', `acquire ${leaseMs}`])
  assert.equal(dispatcher.failingSince(), undefined)
})

test('what is due by a clock that was moved is tried when it is asked for', async (t) => {
  const receiver = await startReceiver(t, () => 500)
  let time = 1_000_000
  const { dispatcher, look, happen } = dispatch(t, [endpointOf(1n, receiver.url)], { clock: () => time })
  await look()
  happen()
  await look()
  await until(() => dispatcher.stats()?.failing === 1)

  // By itself the third try comes after 30 s.
  await until(() => {
    time += 40_000
    dispatcher.retryDue()
    return receiver.received.length >= 3
  })
})

test('a look that had nothing to do says nothing about the storage', async (t) => {
  const { look, shop, dispatcher } = dispatch(t, [endpointOf(1n)])
  shop.failing = `acquire ${leaseMs}`
  await look()

  assert.deepEqual(await look(), [])
  assert.notEqual(dispatcher.failingSince(), undefined)
})

test('how far webhooks are that were sent nothing is stored once a minute', async (t) => {
  const { look, records, happen, calls } = dispatch(t, [{ ...endpointOf(1n), types: new Set() }])
  await look()
  happen(3)
  await look()
  await look(50_000)
  // What is to be stored is stored after a moment, as long as this.
  await wait(1)
  assert.equal(records.length, 0)
  await look(10_000)
  await until(() => records.length === 1)

  assert.deepEqual(records[0]?.positions, [{ webhookId: 1n, eventId: 3n, attempts: 0 }])
  calls.length = 0
  await look(60_000)
  assert.equal(records.length, 1)
})

test('each look asks once whether something was written', async (t) => {
  const { look, looks } = dispatch(t, [endpointOf(1n)])
  await look()
  await look()

  assert.equal(looks(), 2)
})

test('what was sent and cannot be stored is known since the first time, until it can', async (t) => {
  const { look, shop, dispatcher, happen } = dispatch(t, [{ ...endpointOf(1n), types: new Set() }])
  await look()
  happen()
  await look()
  shop.failing = 'record'
  await look(60_000)
  await until(() => dispatcher.failingSince() !== undefined)

  shop.failing = undefined
  await until(() => dispatcher.failingSince() === undefined)
})

for (const hasOwnThread of [true, false]) {
  const what = hasOwnThread ? 'in a thread of their own make no pauses' : 'leave the event loop to others'
  test(`deliveries ${what}`, async (t) => {
    const receiver = await startReceiver(t)
    let skippedMs = 0
    let pauses = 0
    const { eventLoopUtilization } = performance
    t.mock.method(performance, 'eventLoopUtilization', () => {
      pauses++
      return eventLoopUtilization.call(performance)
    })
    const monotonicClock = () => monotonicNow() + (skippedMs += 3)
    const options = { monotonicClock, ...(hasOwnThread && { hasOwnThread }) }
    const { look, happen } = dispatch(t, [endpointOf(1n, receiver.url)], options)
    await look()
    happen(3)

    await look()

    await until(() => receiver.received.length === 3)
    assert.equal(pauses > 0, !hasOwnThread)
  })
}

test('what happens during a look is looked for after it', async (t) => {
  const { dispatcher, shop, calls } = dispatch(t, [endpointOf(1n)])
  const first = dispatcher.tick()
  shop.version = 2
  assert.equal(dispatcher.tick(), first)
  await first
  const reads = () => calls.filter((name) => name === 'list').length
  await until(() => reads() === 3)

  await dispatcher.tick()
  assert.equal(reads(), 3)
})

test('the oldest event that a webhook has not got is told in the time of the shop, and webhooks by their state', async (t) => {
  const broken = await startReceiver(t, () => 500)
  const receiver = await startReceiver(t)
  const upToDate = { ...endpointOf(3n), types: new Set<never>() }
  const endpoints = [endpointOf(1n, broken.url), endpointOf(2n, receiver.url), upToDate]
  const { dispatcher, look, happen } = dispatch(t, endpoints, { shopClock: () => 100_000 })
  await look()
  happen(2, 70_000)
  await look()
  await until(() => dispatcher.stats()?.failing === 1 && receiver.received.length === 2)

  await until(() => dispatcher.stats()?.oldestUndeliveredMs === 30_000)
  assert.deepEqual(dispatcher.stats(), { healthy: 2, failing: 1, oldestUndeliveredMs: 30_000 })
})

test('after 100 tries of a webhook its oldest are forgotten, and those of no other', async (t) => {
  const receiver = await startReceiver(t)
  let tried = 0
  const observer = { tried: () => tried++, disabled: () => undefined, failed: (error: Error) => assert.fail(error) }
  const only = endpointOf(1n, receiver.url)
  const { look, happen, calls, shop } = dispatch(t, [only, { ...endpointOf(2n), types: new Set() }], { observer })
  const forgotten = async () => (await look(10_000)).filter((name) => name.startsWith('forget'))
  await look()
  happen(99)
  await look()
  await until(() => tried === 99)
  assert.deepEqual(await forgotten(), [])
  happen(1)
  await look()
  await until(() => tried === 100)
  // It was looked for less than 10 s ago.
  assert.deepEqual(await look(), [])

  assert.deepEqual(await forgotten(), ['forget 1'])
  assert.deepEqual(await forgotten(), [])
  assert.deepEqual([calls.includes('forget 2'), shop.endpoints.length], [false, 2])
})
