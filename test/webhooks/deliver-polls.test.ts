import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendResult } from '../../src/webhooks/send-result.ts'
import { endpointOf, eventsOf, never, startFeed } from '../support/feed-deliveries.ts'
import { until } from '../support/until.ts'

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('new events go to every webhook that wants them, all and in order, and move the others', async (t) => {
  const { delivering, add, seen, stateOf } = await startFeed(t, [endpointOf(1n), endpointOf(2n, { types: never })])
  await delivering.poll()
  add(150)
  await delivering.poll()
  await until(() => stateOf(1n)?.phase === 'idle' && stateOf(1n)?.position === 150n)

  assert.deepEqual(eventsOf(seen.sent, 1n), upTo(150))
  assert.deepEqual([eventsOf(seen.sent, 2n), stateOf(2n)?.position, stateOf(2n)?.phase], [[], 150n, 'idle'])
  assert.equal(stateOf(1n)?.behindSince, undefined)
})

test('how far a webhook is that was sent nothing is stored on request, once, in the lineage of the feed', async (t) => {
  const { delivering, add, seen, stateOf } = await startFeed(t, [endpointOf(1n, { types: never })])
  add(3)
  await delivering.poll()
  assert.deepEqual([stateOf(1n)?.position, stateOf(1n)?.notedPosition, stateOf(1n)?.phase], [3n, 0n, 'idle'])
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
  const { delivering, add, stateOf } = await startFeed(t, [endpointOf(1n)], { respond: () => waiting.promise })
  add(2)
  await delivering.poll()
  assert.equal(stateOf(1n)?.behindSince, 10)

  waiting.resolve({ status: 204, durationMs: 1 })
  await until(() => stateOf(1n)?.phase === 'idle')
  assert.equal(stateOf(1n)?.behindSince, undefined)
})

test('a webhook goes on after the event that another process has stored', async (t) => {
  const stored = [{ webhookId: 1n, eventId: 2n, attempts: 0 }]
  const { seen, stateOf } = await startFeed(t, [endpointOf(1n)], { events: 4, stored })
  await until(() => stateOf(1n)?.position === 4n)

  assert.deepEqual(eventsOf(seen.sent, 1n), [3, 4])
})

test('a webhook that is enabled again starts with the events after that', async (t) => {
  const { delivering, seen, stateOf, add, shop } = await startFeed(t, [endpointOf(1n)], {
    events: 2,
    respond: () => 500,
  })
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
  const { delivering, stateOf, add, seen } = await startFeed(t, [endpointOf(1n)])
  await delivering.use([endpointOf(2n)])

  assert.deepEqual([stateOf(1n), stateOf(2n)?.phase], [undefined, 'idle'])
  add(1)
  await delivering.use([endpointOf(2n)])
  assert.deepEqual(seen.sent, [])
})

test('events are read with the webhooks as they are after them', async (t) => {
  const { delivering, shop, add, seen } = await startFeed(t, [endpointOf(1n, { types: never })])
  shop.endpoints = [endpointOf(1n), endpointOf(2n)]
  add(1)
  await delivering.poll()
  await until(() => seen.sent.length === 2)

  assert.deepEqual([eventsOf(seen.sent, 1n), eventsOf(seen.sent, 2n)], [[1], [1]])
})

test('after another history was found nothing is sent or stored any more, and that is said once', async (t) => {
  const cut: boolean[] = []
  const { delivering, shop, add, seen, stateOf } = await startFeed(t, [endpointOf(1n)], {
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
  const { seen, stateOf } = await startFeed(t, [endpointOf(1n)], { events: 1, respond: () => 410 })
  await until(() => seen.told.length === 2)

  assert.deepEqual(seen.disabled, [[1n, 'gone', 1]])
  assert.deepEqual(seen.told, [
    [1, 410],
    [1n, 'gone'],
  ])
  assert.equal(stateOf(1n), undefined)
})

test('a process that stops lets tries end, stores what came of them and gives the lease back', async (t) => {
  const waiting = Promise.withResolvers<SendResult>()
  const { delivering, seen } = await startFeed(t, [endpointOf(1n)], { events: 2, respond: () => waiting.promise })
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

test('a process that has stopped does not wait for the end of the grace', async (t) => {
  const waiting = Promise.withResolvers<SendResult>()
  const { delivering, seen } = await startFeed(t, [endpointOf(1n)], { events: 1, respond: () => waiting.promise })
  await until(() => seen.sent.length === 1)
  const started = t.mock.method(globalThis, 'setTimeout')
  const ended = t.mock.method(globalThis, 'clearTimeout')

  const stopped = delivering.stop(10_000)
  waiting.resolve({ status: 204, durationMs: 1 })
  await stopped

  const grace = started.mock.calls.find(({ arguments: [, ms] }) => ms === 10_000)?.result
  assert.ok(grace !== undefined && ended.mock.calls.some(({ arguments: [timer] }) => timer === grace))
})

test('a process that stops cuts tries after the grace, and they count for nothing', async (t) => {
  const { delivering, seen } = await startFeed(t, [endpointOf(1n)], {
    events: 1,
    respond: (_url, _id, signal) =>
      new Promise((end) => signal?.addEventListener('abort', () => end({ error: 'cut', durationMs: 1 }))),
  })
  await until(() => seen.sent.length === 1)
  await delivering.stop(1)

  assert.deepEqual([seen.told, seen.positions.size, seen.released], [[], 0, 1])
})

test('a new event moves no webhook that still has one to get', async (t) => {
  let status = 500
  const { delivering, add, seen, shop, stateOf } = await startFeed(t, [endpointOf(1n)], {
    events: 1,
    respond: () => status,
  })
  await until(() => stateOf(1n)?.phase === 'waiting')
  add(1)
  await delivering.poll()
  assert.equal(stateOf(1n)?.position, 0n)

  status = 204
  shop.now += 10_000
  delivering.retryDue()
  await until(() => stateOf(1n)?.phase === 'idle')
  assert.deepEqual(eventsOf(seen.sent, 1n), [1, 1, 2])
})

test('a webhook gets no event from before its start, also if they are read after it was made', async (t) => {
  const { delivering, add, seen, stateOf } = await startFeed(t, [endpointOf(1n, { startsAfter: 2n })])
  add(1)
  await delivering.poll()
  assert.equal(stateOf(1n)?.position, 2n)
  add(2)
  await delivering.poll()
  await until(() => stateOf(1n)?.position === 3n)

  assert.deepEqual(eventsOf(seen.sent, 1n), [3])
})

test('a webhook starts after its start in the middle of a page', async (t) => {
  const { delivering, add, seen, stateOf } = await startFeed(t, [endpointOf(1n, { startsAfter: 2n })])
  add(3)
  await delivering.poll()
  await until(() => stateOf(1n)?.phase === 'idle' && stateOf(1n)?.position === 3n)

  assert.deepEqual(eventsOf(seen.sent, 1n), [3])
})

test('webhooks that are the same as before stay where they are, and nothing is read for them', async (t) => {
  const { delivering, seen, stateOf, shop } = await startFeed(t, [endpointOf(1n)], { events: 2 })
  await until(() => stateOf(1n)?.phase === 'idle')
  await delivering.use(shop.endpoints)

  assert.deepEqual([stateOf(1n)?.position, seen.lookedUp, seen.sent.length], [2n, 1, 2])
})

test('new events leave the event loop to others while they are passed on to many webhooks', async (t) => {
  const { delivering, add } = await startFeed(
    t,
    [1n, 2n, 3n].map((id) => endpointOf(id, { types: never })),
  )
  add(1)
  const { now } = performance
  let skippedMs = 0
  t.mock.method(performance, 'now', () => now.call(performance) + (skippedMs += 5))
  let isServed = false
  setImmediate(() => (isServed = true))
  await delivering.poll()

  assert.ok(isServed)
})

test('it is known since when positions cannot be stored', async (t) => {
  const { delivering, shop, add, seen } = await startFeed(t, [endpointOf(1n, { types: never })])
  assert.equal(delivering.unstoredSince(), undefined)
  add(1)
  await delivering.poll()
  shop.isStorable = false
  delivering.noteAll()
  await until(() => delivering.unstoredSince() !== undefined)

  assert.deepEqual(seen.failed, ['the disk is full'])
})
