import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { DeliveryPosition, DeliveryRecord } from '../../src/inventory/deliveries.ts'
import type { Endpoint } from '../../src/inventory/webhooks.ts'
import { deliverEvents } from '../../src/webhooks/deliver-events.ts'
import type { DeliverOptions } from '../../src/webhooks/delivering.ts'
import type { EventReader, QueuedEvent } from '../../src/webhooks/event-reader.ts'
import type { SendResult } from '../../src/webhooks/send-result.ts'
import { until } from '../support/until.ts'

const endpoint = (id: bigint, path = 'hook', activeSince = 1): Endpoint => ({
  id,
  url: `https://${id}.example/${path}`,
  format: 'json',
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince,
})
const taken: SendResult = { status: 204, durationMs: 1 }
const refused: SendResult = { status: 500, durationMs: 1 }

interface Sent {
  url: string
  eventId: string
  mayWrite: () => boolean
  respond: (result: SendResult) => void
}

/** Deliveries of one event, without sockets and storage: a test responds to each try. */
async function deliver(t: TestContext, endpoints: readonly Endpoint[], options: Partial<DeliverOptions> = {}) {
  const counts = { reads: 0, disabled: 0 }
  const event: QueuedEvent = { id: 1n, type: 'petstore.pet.created', at: 5, body: () => '{}' }
  const reader: EventReader = {
    head: 1n,
    lineage: undefined,
    begin: async () => undefined,
    readNew: async () => ({ events: [], head: 1n, lineage: undefined }),
    moveTo: () => undefined,
    async findNext(position) {
      counts.reads++
      return position < 1n ? { position: 0n, event } : { position: 1n }
    },
  }
  const sent: Sent[] = []
  const positions = new Map<bigint, DeliveryPosition>()
  let isLeaseLost = false
  const deliveries = {
    renew: async () => true,
    release: async () => undefined,
    async record(_: unknown, __: number, record: DeliveryRecord) {
      for (const position of record.positions) positions.set(position.webhookId, position)
      return true
    },
    positions: async () => [],
  } as Partial<DeliverOptions['deliveries']> as DeliverOptions['deliveries']
  const delivering = deliverEvents({
    deliveries,
    webhooks: { enabled: async () => [...endpoints], disable: async () => ++counts.disabled > 0 },
    reader,
    send: ({ id }, { url }, { mayWrite }) =>
      new Promise((respond) => {
        sent.push({ url, eventId: id, mayWrite: mayWrite ?? (() => true), respond })
      }),
    clock: Date.now,
    shopClock: Date.now,
    observer: { tried: () => undefined, disabled: () => undefined, failed: (error) => assert.fail(error) },
    lease: { holder: 'a', generation: 1n },
    leaseMs: 60_000,
    hasOwnThread: true,
    lost: () => (isLeaseLost = true),
    ...options,
  })
  t.after(async () => {
    for (const { respond } of sent) respond(taken)
    await delivering.stop(0)
    assert.equal(isLeaseLost, false)
  })
  await delivering.use(endpoints)
  await until(() => sent.length > 0)
  return { ...delivering, counts, sent, positions, urls: () => sent.map(({ url }) => url) }
}

const oneAtOnce = { limits: { young: 1, failing: 1, total: 1 } }

test('a webhook that is removed while it waits for its turn is sent nothing', async (t) => {
  const [first, second, third] = [endpoint(1n), endpoint(2n), endpoint(3n)]
  const { sent, urls, use, counts } = await deliver(t, [first, second, third], oneAtOnce)

  await use([first, third])
  sent[0]?.respond(taken)
  await until(() => sent.length === 2)

  assert.deepEqual(urls(), [first.url, third.url])
  assert.equal(counts.reads, 2)
})

test('a failure of an address that was replaced meanwhile does not count: the new one is tried at once', async (t) => {
  const { sent, urls, use, states } = await deliver(t, [endpoint(1n)])
  const moved = endpoint(1n, 'new', 2)

  await use([moved])
  sent[0]?.respond(refused)
  await until(() => sent.length === 2)

  assert.deepEqual(urls(), [endpoint(1n).url, moved.url])
  const [state] = states()
  assert.deepEqual([state?.attempts, state?.failingSince, state?.nextAttemptAt], [0, undefined, undefined])
})

test('a failure of the same address counts, and the next try waits for its time', async (t) => {
  const { sent, states } = await deliver(t, [endpoint(1n)])

  sent[0]?.respond(refused)
  await until(() => [...states()][0]?.phase === 'waiting')

  const [state] = states()
  assert.equal(state?.attempts, 1)
  assert.ok((state?.nextAttemptAt ?? 0) > Date.now())
  assert.equal(sent.length, 1)
})

test('what comes of a try counts for nothing if the webhook was removed meanwhile', async (t) => {
  const [first, second] = [endpoint(1n), endpoint(2n)]
  const { sent, urls, use, states, stop, positions, counts } = await deliver(t, [first, second], oneAtOnce)

  await use([second])
  sent[0]?.respond({ status: 410, durationMs: 1 })
  await until(() => sent.length === 2)
  sent[1]?.respond(taken)
  await stop(1_000)

  assert.deepEqual(urls(), [first.url, second.url])
  assert.deepEqual(
    [...states()].map((state) => state.endpoint.id),
    [2n],
  )
  assert.deepEqual([[...positions.keys()], counts.disabled], [[2n], 0])
})

test('a webhook that takes its event is idle, and its position is stored', async (t) => {
  const { sent, states, positions } = await deliver(t, [endpoint(1n)])

  sent[0]?.respond(taken)
  await until(() => positions.size > 0)

  assert.deepEqual(positions.get(1n), { webhookId: 1n, eventId: 1n, attempts: 0 })
  assert.deepEqual(
    [...states()].map(({ phase }) => phase),
    ['idle'],
  )
})

test('a try that was not in time is not counted, and a webhook that was removed meanwhile is not tried again', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const [first, second] = [endpoint(1n), endpoint(2n)]
  const { sent, urls, use, states } = await deliver(t, [first, second], { limits: { young: 2, failing: 2, total: 2 } })
  await until(() => sent.length === 2)

  // The machine slept for longer than the lease.
  t.mock.timers.setTime(1_000_000 + 60_000)
  for (const each of sent) assert.equal(each.mayWrite(), false)
  await use([second])
  for (const each of sent.slice(0, 2)) each.respond(refused)
  await until(() => [...states()].every(({ phase }) => phase === 'ready'))
  t.mock.timers.setTime(1_000_000)
  await use([second])
  await until(() => sent.length === 3)

  assert.deepEqual(urls(), [first.url, second.url, second.url])
  assert.deepEqual(
    [...states()].map(({ attempts }) => attempts),
    [0],
  )
})

test('a webhook that gets another address while it waits for its turn has one turn', async (t) => {
  const [first, second, third] = [endpoint(1n), endpoint(2n), endpoint(3n)]
  const { sent, urls, use, states } = await deliver(t, [first, second, third], {
    limits: { young: 2, failing: 2, total: 2 },
  })
  const moved = endpoint(3n, 'new', 2)
  await until(() => sent.length === 2)

  await use([first, second, moved])
  for (const { respond } of sent) respond(taken)
  await until(() => sent.length === 3)
  sent[2]?.respond(taken)
  await until(() => [...states()].every(({ phase }) => phase === 'idle'))

  assert.deepEqual(urls(), [first.url, second.url, moved.url])
})
