import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { ShopEvent } from '../../src/contract/event.ts'
import type { DeliveryPosition, DeliveryRecord, NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import type { Endpoint } from '../../src/inventory/webhooks.ts'
import { deliverEvents } from '../../src/webhooks/deliver-events.ts'
import { eventReader } from '../../src/webhooks/event-reader.ts'
import type { SendResult } from '../../src/webhooks/send-result.ts'
import { until } from '../support/until.ts'

const endpointOf = (id: bigint, change: Partial<Endpoint> = {}): Endpoint => ({
  id,
  url: `https://${id}.example/`,
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: 1,
  ...change,
})
const never = new Set<never>()

interface Started {
  events?: number
  stored?: DeliveryPosition[]
  respond?: (url: string, eventId: string, signal: AbortSignal | undefined) => number | Promise<SendResult>
}

/** Deliveries of a feed to which a test adds, without sockets. */
async function start(t: TestContext, endpoints: Endpoint[], { events = 0, stored = [], respond }: Started = {}) {
  const feed: ShopEvent[] = []
  const add = (count: number) => {
    for (let added = 0; added < count; added++) {
      const id = BigInt(feed.length + 1)
      feed.push({ id, type: 'pet.created', subject: id, at: Number(id) * 10, data: '{}' })
    }
  }
  add(events)
  const shop = { endpoints, missed: false, now: 1_000_000, isReadable: true, disabling: async () => true }
  const seen = {
    sent: [] as string[],
    tries: [] as NewDeliveryTry[],
    positions: new Map<bigint, DeliveryPosition>(),
    lineages: new Set<string | undefined>(),
    disabled: [] as unknown[],
    told: [] as unknown[],
    failed: [] as string[],
    lost: 0,
    released: 0,
  }
  const reader = eventReader(
    {
      async list(limit, after = 0n) {
        if (!shop.isReadable) throw new Error('the database is away')
        const items = feed.filter(({ id }) => id > after).slice(0, limit)
        return { items, more: false, missed: shop.missed }
      },
      latest: async () => ({ id: BigInt(feed.length), lineage: 'k3x9Qa7B' }),
    },
    '/v1',
  )
  await reader.begin()
  const delivering = deliverEvents({
    deliveries: {
      acquire: async () => undefined,
      renew: async () => true,
      async release() {
        seen.released++
      },
      async record(_lease: unknown, _ms: number, record: DeliveryRecord) {
        for (const position of record.positions) seen.positions.set(position.webhookId, position)
        seen.tries.push(...record.tries)
        seen.lineages.add(record.lineage)
        return true
      },
      positions: async () => stored,
      forget: async () => undefined,
    },
    webhooks: {
      enabled: async () => shop.endpoints,
      disable(...all) {
        seen.disabled.push(all)
        return shop.disabling()
      },
    },
    reader,
    async send({ id }, { url }, { signal }) {
      const eventId = id.split('-')[0] as string
      seen.sent.push(`${eventId} ${url}`)
      const result = respond?.(url, eventId, signal) ?? 204
      return typeof result === 'number' ? { status: result, durationMs: 1 } : await result
    },
    clock: () => shop.now,
    shopClock: () => shop.now + 5,
    observer: {
      tried: ({ attempt, status }) => void seen.told.push([attempt, status]),
      disabled: ({ id }, reason) => void seen.told.push([id, reason]),
      failed: ({ message }) => void seen.failed.push(message),
    },
    lease: { holder: 'a', generation: 1n },
    leaseMs: 60_000,
    hasOwnThread: true,
    lost: () => seen.lost++,
  })
  t.after(() => delivering.stop(0))
  await delivering.use(endpoints)
  const stateOf = (id: bigint) => [...delivering.states()].find(({ endpoint }) => endpoint.id === id)
  return { delivering, shop, add, seen, stateOf }
}

const eventsOf = (sent: readonly string[], id: bigint) =>
  sent.filter((each) => each.endsWith(endpointOf(id).url)).map((each) => Number(each.split(' ')[0]))
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('new events go to every webhook that wants them, all and in order, and move the others', async (t) => {
  const { delivering, add, seen, stateOf } = await start(t, [endpointOf(1n), endpointOf(2n, { types: never })])
  await delivering.poll()
  add(150)
  await delivering.poll()
  await until(() => stateOf(1n)?.phase === 'idle' && stateOf(1n)?.position === 150n)

  assert.deepEqual(eventsOf(seen.sent, 1n), upTo(150))
  assert.deepEqual([eventsOf(seen.sent, 2n), stateOf(2n)?.position, stateOf(2n)?.phase], [[], 150n, 'idle'])
  assert.equal(stateOf(1n)?.behindSince, undefined)
})

test('how far a webhook is that was sent nothing is stored on request, once, in the lineage of the feed', async (t) => {
  const { delivering, add, seen, stateOf } = await start(t, [endpointOf(1n, { types: never })])
  add(3)
  await delivering.poll()
  assert.deepEqual([stateOf(1n)?.position, stateOf(1n)?.notedPosition], [3n, 0n])
  delivering.noteAll()
  assert.equal(stateOf(1n)?.notedPosition, 3n)
  await until(() => seen.positions.size === 1)

  assert.deepEqual([seen.positions.get(1n)?.eventId, [...seen.lineages]], [3n, ['k3x9Qa7B']])
  seen.positions.clear()
  delivering.noteAll()
  await delivering.stop(0)
  assert.equal(seen.positions.size, 0)
})

test('a webhook that is behind knows since when', async (t) => {
  const waiting = Promise.withResolvers<SendResult>()
  const { delivering, add, stateOf } = await start(t, [endpointOf(1n)], { respond: () => waiting.promise })
  add(2)
  await delivering.poll()
  assert.equal(stateOf(1n)?.behindSince, 10)

  waiting.resolve({ status: 204, durationMs: 1 })
  await until(() => stateOf(1n)?.phase === 'idle')
  assert.equal(stateOf(1n)?.behindSince, undefined)
})

test('a webhook goes on after the event that another process has stored', async (t) => {
  const stored = [{ webhookId: 1n, eventId: 2n, attempts: 0 }]
  const { seen, stateOf } = await start(t, [endpointOf(1n)], { events: 4, stored })
  await until(() => stateOf(1n)?.position === 4n)

  assert.deepEqual(eventsOf(seen.sent, 1n), [3, 4])
})

test('a webhook that failed in another process waits for its time, with all its failures', async (t) => {
  const stored = [{ webhookId: 1n, eventId: 0n, attempts: 2, failingSince: 5, nextAttemptAt: 1_000_100 }]
  const { delivering, shop, seen, stateOf } = await start(t, [endpointOf(1n)], { events: 1, stored })
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
  const { delivering, seen, stateOf, shop } = await start(t, [endpointOf(1n)], { events: 1, respond: () => status })
  await until(() => stateOf(1n)?.phase === 'waiting')
  assert.deepEqual([stateOf(1n)?.failingSince, stateOf(1n)?.shopFailingSince], [1_000_000, 1_000_005])
  await until(() => seen.positions.get(1n)?.attempts === 1)
  shop.endpoints = [endpointOf(1n)]
  await delivering.use(shop.endpoints)
  assert.equal(seen.sent.length, 1)

  status = 204
  await delivering.use([endpointOf(1n, { activeSince: 2 })])
  await until(() => stateOf(1n)?.phase === 'idle')
  await delivering.stop(0)
  assert.deepEqual([seen.positions.get(1n)?.attempts, seen.sent.length], [0, 2])
})

test('a webhook that is enabled again starts with the events after that', async (t) => {
  const { delivering, seen, stateOf, add, shop } = await start(t, [endpointOf(1n)], { events: 2, respond: () => 500 })
  await until(() => stateOf(1n)?.phase === 'waiting')
  shop.endpoints = [endpointOf(1n, { startsAfter: 2n, activeSince: 2 })]
  await delivering.use(shop.endpoints)
  await until(() => stateOf(1n)?.phase === 'idle')
  assert.equal(stateOf(1n)?.position, 2n)
  add(1)
  await delivering.poll()
  await until(() => seen.sent.length === 2)

  assert.deepEqual(eventsOf(seen.sent, 1n), [1, 3])
})

test('a webhook that is removed is gone, and a new one is added', async (t) => {
  const { delivering, stateOf, add, seen } = await start(t, [endpointOf(1n)])
  await delivering.use([endpointOf(2n)])

  assert.deepEqual([stateOf(1n), stateOf(2n)?.phase], [undefined, 'idle'])
  add(1)
  await delivering.use([endpointOf(2n)])
  assert.deepEqual(seen.sent, [])
})

test('events are read with the webhooks as they are after them', async (t) => {
  const { delivering, shop, add, seen } = await start(t, [endpointOf(1n, { types: never })])
  shop.endpoints = [endpointOf(1n), endpointOf(2n)]
  add(1)
  await delivering.poll()
  await until(() => seen.sent.length === 2)

  assert.deepEqual([eventsOf(seen.sent, 1n), eventsOf(seen.sent, 2n)], [[1], [1]])
})

test('after another history was found nothing is sent or stored any more, and that is said once', async (t) => {
  const cut: boolean[] = []
  const { delivering, shop, add, seen, stateOf } = await start(t, [endpointOf(1n)], {
    respond: (_url, _id, signal) =>
      new Promise((end) =>
        signal?.addEventListener('abort', () => {
          cut.push(true)
          end({ error: 'cut', durationMs: 1 })
        }),
      ),
  })
  add(2)
  await delivering.poll()
  await until(() => seen.sent.length === 1)
  shop.missed = true
  await delivering.poll()
  await delivering.poll()
  await delivering.stop(0)
  delivering.retryDue()

  assert.deepEqual([seen.lost, cut, seen.sent.length, seen.released], [1, [true], 1, 0])
  assert.deepEqual([seen.told, seen.positions.size, stateOf(1n)?.attempts], [[], 0, 0])
})

test('a webhook that responds with 410 is disabled as it was when it was sent the event', async (t) => {
  const { seen, stateOf } = await start(t, [endpointOf(1n)], { events: 1, respond: () => 410 })
  await until(() => seen.told.length === 2)

  assert.deepEqual(seen.disabled, [[1n, 'gone', 1]])
  assert.deepEqual(seen.told, [
    [1, 410],
    [1n, 'gone'],
  ])
  assert.equal(stateOf(1n), undefined)
})

test('a webhook that could not be disabled waits for its next try', async (t) => {
  const { seen, stateOf, shop, delivering } = await start(t, [endpointOf(1n)], { events: 1, respond: () => 410 })
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
  const { seen, stateOf, shop, delivering, add } = await start(t, [endpointOf(1n)])
  add(1)
  shop.isReadable = false
  await assert.rejects(delivering.poll())
  shop.isReadable = true
  await delivering.poll()
  await until(() => stateOf(1n)?.phase === 'idle')

  const behind = await start(t, [], { events: 1 })
  behind.shop.isReadable = false
  await behind.delivering.use([endpointOf(1n)])
  await until(() => behind.stateOf(1n)?.phase === 'waiting')
  assert.deepEqual([behind.seen.failed, behind.stateOf(1n)?.nextAttemptAt], [['the database is away'], 1_001_000])
  assert.deepEqual([seen.failed, seen.sent.length], [[], 1])
})

test('a process that stops lets tries end, stores what came of them and gives the lease back', async (t) => {
  const waiting = Promise.withResolvers<SendResult>()
  const { delivering, seen } = await start(t, [endpointOf(1n)], { events: 2, respond: () => waiting.promise })
  await until(() => seen.sent.length === 1)
  const stopped = delivering.stop(10_000)
  waiting.resolve({ status: 204, durationMs: 1 })
  await stopped

  assert.deepEqual([seen.sent.length, seen.positions.get(1n)?.eventId, seen.released], [1, 1n, 1])
  assert.deepEqual(
    seen.tries.map(({ eventId, attempt, at }) => [eventId, attempt, at]),
    [[1n, 1, 1_000_000]],
  )
  await delivering.stop(0)
  assert.equal(seen.released, 1)
})

test('a process that stops cuts tries after the grace, and they count for nothing', async (t) => {
  const { delivering, seen } = await start(t, [endpointOf(1n)], {
    events: 1,
    respond: (_url, _id, signal) =>
      new Promise((end) => signal?.addEventListener('abort', () => end({ error: 'cut', durationMs: 1 }))),
  })
  await until(() => seen.sent.length === 1)
  await delivering.stop(1)

  assert.deepEqual([seen.told, seen.positions.size, seen.released], [[], 0, 1])
})
