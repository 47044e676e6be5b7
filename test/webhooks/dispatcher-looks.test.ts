import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { ShopEvent } from '../../src/contract/event.ts'
import type { DeliveryLease, DeliveryRecord } from '../../src/inventory/deliveries.ts'
import type { Endpoint } from '../../src/inventory/webhooks.ts'
import type { DispatcherStorage } from '../../src/webhooks/dispatcher-storage.ts'
import { type DispatcherOptions, startDispatcher } from '../../src/webhooks/dispatcher.ts'
import { until } from '../support/until.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const refreshMs = 10_000
const leaseMs = 60_000
const endpointOf = (id: bigint, url = 'http://127.0.0.1:9/'): Endpoint => ({
  id,
  url,
  format: 'json',
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: 1,
})

const now = performance.now.bind(performance)

/**
 * A dispatcher whose storage says what it is asked, and whose monotonic clock the test can move. Once in a test: a clock
 * that is mocked twice is not restored.
 */
function dispatch(
  t: TestContext,
  endpoints: Endpoint[],
  { monotonicClock = now, ...options }: Partial<DispatcherOptions> & { monotonicClock?: () => number } = {},
) {
  let skippedMs = 0
  t.mock.method(performance, 'now', () => monotonicClock() + skippedMs)
  const shop = {
    version: 1,
    endpoints,
    events: [] as ShopEvent[],
    lease: { holder: 'a', generation: 1n } as DeliveryLease | undefined,
    isHeld: true,
    failing: undefined as string | undefined,
  }
  const calls: string[] = []
  let looks = 0
  const records: DeliveryRecord[] = []
  const failures: string[] = []
  const call = async <Result>(name: string, result: () => Result): Promise<Result> => {
    calls.push(name)
    if (shop.failing === name) throw new Error(`${name} failed`)
    return result()
  }
  const storage: DispatcherStorage = {
    version() {
      looks++
      return shop.version
    },
    events: {
      list: (limit, after = 0n) =>
        call('list', () => {
          const items = shop.events.filter(({ id }) => id > after).slice(0, limit)
          return { items, more: false, missed: false }
        }),
      latest: () => call('latest', () => ({ id: shop.events.at(-1)?.id ?? 0n, lineage: 'k3x9Qa7B' })),
    },
    webhooks: { enabled: () => call('enabled', () => shop.endpoints), disable: async () => true },
    deliveries: {
      acquire: (_holder, ms) => call(`acquire ${ms}`, () => shop.lease),
      renew: () => call('renew', () => shop.isHeld),
      release: () => call('release', () => undefined),
      record: (_lease, _ms, record) =>
        call('record', () => {
          records.push(record)
          return shop.isHeld
        }),
      positions: async () => [],
      forget: (ids) => call(`forget ${ids.join()}`, () => undefined),
    },
  }
  const dispatcher = startDispatcher({
    storage,
    source: '/v1',
    addresses: { allowPrivate: true },
    leaseMs,
    refreshMs,
    observer: {
      tried: () => undefined,
      disabled: () => undefined,
      failed: ({ message }) => failures.push(message),
    },
    ...options,
  })
  t.after(() => dispatcher.stop())
  return {
    dispatcher,
    shop,
    records,
    failures,
    /** What the storage is asked in one look, `ms` later. */
    async look(ms = 0): Promise<string[]> {
      skippedMs += ms
      calls.length = 0
      await dispatcher.tick()
      return [...calls]
    },
    calls,
    looks: () => looks,
    happen(count = 1, at = 0) {
      for (let added = 0; added < count; added++) {
        const id = BigInt(shop.events.length + 1)
        shop.events.push({ id, type: 'pet.created', subject: id, at, data: '{}' })
      }
      shop.version++
    },
  }
}

const toLead = ['enabled', `acquire ${leaseMs}`, 'latest', 'enabled', 'list']
/** After a write there is one more read. */
const toLeadAfterWrite = [...toLead, 'list']

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

test('without webhooks nobody leads, and all of none are healthy', async (t) => {
  const { look, shop, dispatcher, failures } = dispatch(t, [])
  assert.equal(dispatcher.stats(), undefined)

  assert.deepEqual(await look(), ['enabled'])
  shop.version++
  assert.deepEqual(await look(refreshMs), ['enabled'])
  assert.deepEqual(dispatcher.stats(), { healthy: 0, failing: 0, oldestUndeliveredMs: 0 })
  dispatcher.retryDue()
  assert.deepEqual([failures, dispatcher.failingSince()], [[], undefined])
})

test('while another process leads, the lease is asked for again and again, by the interval of the webhooks', async (t) => {
  const { look, shop, dispatcher, failures } = dispatch(t, [endpointOf(1n)])
  shop.lease = undefined

  assert.deepEqual(await look(), ['enabled', `acquire ${leaseMs}`])
  assert.deepEqual(await look(), [])
  assert.deepEqual(await look(refreshMs), ['enabled', `acquire ${leaseMs}`])
  assert.equal(dispatcher.stats(), undefined)
  shop.lease = { holder: 'a', generation: 2n }
  assert.deepEqual(await look(refreshMs), toLead)
  assert.deepEqual([dispatcher.stats()?.healthy, failures], [1, []])
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

test('a process whose last webhook is gone gives the lease back, and takes it again for the next', async (t) => {
  const { look, shop, dispatcher } = dispatch(t, [endpointOf(1n)])
  await look()
  shop.endpoints = []
  shop.version++

  assert.deepEqual(await look(refreshMs), ['enabled', 'release'])
  assert.deepEqual(dispatcher.stats(), { healthy: 0, failing: 0, oldestUndeliveredMs: 0 })
  shop.endpoints = [endpointOf(2n)]
  shop.version++
  assert.deepEqual(await look(refreshMs), toLeadAfterWrite)
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

test('a process that has lost the lease asks for it again', async (t) => {
  const { look, shop, dispatcher, happen } = dispatch(t, [{ ...endpointOf(1n), types: new Set() }])
  await look()
  shop.isHeld = false
  happen()
  await look()
  // The position of a webhook that wants no event is stored once a minute.
  await look(60_000)
  await until(() => dispatcher.stats() === undefined)

  shop.isHeld = true
  assert.deepEqual((await look(refreshMs)).slice(0, toLead.length), toLead)
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
    const monotonicClock = () => now() + (skippedMs += 3)
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

test('a process that was stopped gives the lease back, and looks no more', async (t) => {
  const { dispatcher, look, calls, shop } = dispatch(t, [endpointOf(1n)])
  await look()
  calls.length = 0
  await dispatcher.stop()
  assert.deepEqual([calls, dispatcher.stats()], [['release'], undefined])

  shop.version++
  assert.deepEqual(await look(refreshMs), [])
})

test('a process that is stopped during a look ends it first', async (t) => {
  const { dispatcher, calls } = dispatch(t, [endpointOf(1n)])
  void dispatcher.tick()
  await dispatcher.stop()

  assert.deepEqual(calls, [...toLeadAfterWrite, 'release'])
})

test('the oldest event that a webhook has not got is told in the time of the shop, and webhooks by their state', async (t) => {
  const broken = await startReceiver(t, () => 500)
  const receiver = await startReceiver(t)
  const { dispatcher, look, happen } = dispatch(t, [endpointOf(1n, broken.url), endpointOf(2n, receiver.url)], {
    shopClock: () => 100_000,
  })
  await look()
  happen(2, 70_000)
  await look()
  await until(() => dispatcher.stats()?.failing === 1 && receiver.received.length === 2)

  await until(() => dispatcher.stats()?.oldestUndeliveredMs === 30_000)
  assert.deepEqual(dispatcher.stats(), { healthy: 1, failing: 1, oldestUndeliveredMs: 30_000 })
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
