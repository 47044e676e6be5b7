import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { SendResult } from '../../src/webhooks/send-result.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import { endpointOf, eventsOf, never, startFeed } from '../support/feed-deliveries.ts'
import { until } from '../support/until.ts'

test('a process that stops while it reads new events asks for no webhooks, and sends nothing', async (t) => {
  const { delivering, add, seen } = await startFeed(t, [endpointOf(1n)])
  add(1)
  const polling = delivering.poll()
  await delivering.stop(0)
  await polling

  assert.deepEqual([seen.enabledAsked, seen.sent], [0, []])
})

/** Deliveries to a webhook that has the turn, and whose next event is being read until `go` is called. */
async function startReading(t: TestContext) {
  const started = await startFeed(t, [], { events: 3 })
  const reading = Promise.withResolvers<void>()
  started.shop.reading = reading.promise
  await started.delivering.use([endpointOf(1n)])
  await until(() => started.seen.reads === 1)
  return { ...started, go: reading.resolve }
}

test('a process that stops while it reads an event does not send it', async (t) => {
  const { delivering, seen, go } = await startReading(t)
  const stopped = delivering.stop(10_000)
  go()
  await stopped

  assert.deepEqual(seen.sent, [])
})

test('a webhook that is removed while its event is read is not sent it', async (t) => {
  const { delivering, seen, stateOf, go } = await startReading(t)
  await delivering.use([endpointOf(2n)])
  go()
  await until(() => stateOf(2n)?.phase === 'idle')

  assert.deepEqual([eventsOf(seen.sent, 1n), eventsOf(seen.sent, 2n)], [[], [1, 2, 3]])
})

test('a webhook that is enabled again while its event is read gets only events after that', async (t) => {
  const { delivering, seen, stateOf, go } = await startReading(t)
  await delivering.use([endpointOf(1n, { startsAfter: 2n, activeSince: 2 })])
  go()
  await until(() => stateOf(1n)?.phase === 'idle')

  assert.deepEqual(eventsOf(seen.sent, 1n), [3])
})

test('an event is not sent if the lease ended while it was read, and it is later', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  const { delivering, seen, stateOf, go } = await startReading(t)
  // The machine slept for longer than the lease.
  t.mock.timers.setTime(1_000_000 + 60_000)
  go()
  await until(() => stateOf(1n)?.phase === 'ready')
  assert.deepEqual(seen.sent, [])

  t.mock.timers.setTime(1_000_000)
  await delivering.use([endpointOf(1n)])
  await until(() => stateOf(1n)?.phase === 'idle')
  assert.deepEqual(eventsOf(seen.sent, 1n), [1, 2, 3])
})

test('a webhook that is enabled again while it is sent an event does not go back to it', async (t) => {
  const waiting = Promise.withResolvers<SendResult>()
  const { delivering, seen, stateOf } = await startFeed(t, [endpointOf(1n)], {
    events: 3,
    respond: () => waiting.promise,
  })
  await until(() => seen.sent.length === 1)
  await delivering.use([endpointOf(1n, { startsAfter: 3n, activeSince: 2 })])
  waiting.resolve({ status: 204, durationMs: 1 })
  await until(() => stateOf(1n)?.phase === 'idle')

  assert.deepEqual([stateOf(1n)?.position, eventsOf(seen.sent, 1n)], [3n, [1]])
})

test('a process that stops stores how far webhooks are that were sent nothing', async (t) => {
  const { delivering, add, seen } = await startFeed(t, [endpointOf(1n, { types: never })])
  add(3)
  await delivering.poll()
  await delivering.stop(0)

  assert.equal(seen.positions.get(1n)?.eventId, 3n)
})

test('what the types of a webhook have passed over is stored when they change: no later process sends it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { delivering, add, seen } = await startFeed(t, [endpointOf(1n, { types: never })])
  add(3)
  await delivering.poll()
  await delivering.use([endpointOf(1n)])
  t.mock.timers.tick(1_000)
  await new Promise((resolve) => setImmediate(resolve))

  assert.equal(seen.positions.get(1n)?.eventId, 3n)
  await delivering.use([endpointOf(1n)])
  t.mock.timers.tick(1_000)
  assert.deepEqual(seen.sent, [])
})

test('a machine that cannot open a connection is no failure of the webhook, which is tried again', async (t) => {
  const lack = () => Promise.reject(unavailable('No connection to a webhook can be opened.'))
  let tries = 0
  const respond = () => (++tries === 1 ? lack() : 204)
  const { delivering, shop, seen, stateOf } = await startFeed(t, [endpointOf(1n)], { events: 1, respond })
  await until(() => stateOf(1n)?.phase === 'waiting')
  assert.deepEqual([stateOf(1n)?.attempts, seen.told, seen.failed.length], [0, [], 1])

  shop.now += 1_000
  delivering.retryDue()
  await until(() => stateOf(1n)?.phase === 'idle')

  assert.deepEqual([tries, seen.told], [2, [[1, 204]]])
})

for (const end of ['stops', 'has lost the lease'] as const) {
  test(`a process that ${end} tries nothing again`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const stored = [{ webhookId: 1n, eventId: 0n, attempts: 1, failingSince: 5, nextAttemptAt: 1_000_020 }]
    const { delivering, shop, stateOf } = await startFeed(t, [endpointOf(1n)], { events: 1, stored })
    shop.missed = end !== 'stops'
    await (end === 'stops' ? delivering.stop(0) : delivering.poll())
    shop.now = 1_000_020
    t.mock.timers.tick(20)

    assert.equal(stateOf(1n)?.phase, 'waiting')
  })
}

test('a process that finds another history stores nothing of the lost one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { delivering, add, shop, seen } = await startFeed(t, [endpointOf(1n, { types: never })])
  add(1)
  await delivering.poll()
  delivering.noteAll()
  shop.missed = true
  await delivering.poll()
  t.mock.timers.tick(1_000)
  await new Promise((resolve) => setImmediate(resolve))

  assert.deepEqual([seen.lost, seen.positions.size], [1, 0])
})
