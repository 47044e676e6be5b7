import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import {
  ConnectionError,
  isPetStoreError,
  PetStore,
  PetStoreError,
  positionOf,
  type ShopEvent,
  UnexpectedResponseError,
} from '../../client/src/index.ts'
import { sentMembers, startClient } from '../support/client.ts'
import { htmlAnswer, jsonAnswer, refusal, unavailable } from '../support/made-up-answers.ts'
import { type Conversation, streamingServer } from '../support/streaming-server.ts'

const rex = { name: 'Rex', categoryId: 9007199254740993n, status: 'available' } as const

test('events arrive in order, each type with its data', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)
  await petstore.orders.place({ petId: 1 })

  const received = await take(petstore.events.follow({ after: 0 }), 3)

  assert.deepEqual(
    received.map(({ id, type }) => [id, type]),
    [
      ['1', 'petstore.pet.created'],
      ['2', 'petstore.pet.updated'],
      ['3', 'petstore.order.placed'],
    ],
  )
  const [created] = received
  assert.equal(created?.type === 'petstore.pet.created' && created.data.categoryId, 9007199254740993n)
})

test('without after, follow starts now', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create(rex)
  const coming = take(petstore.events, 1)
  await proxy.untilAnswered(2)

  await petstore.pets.delete(1)

  assert.deepEqual(
    (await coming).map(({ type, subject }) => [type, subject]),
    [['petstore.pet.deleted', 'pets/1']],
  )
})

test('the history of an animal has its orders and names who made each change', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)
  await petstore.pets.create(rex)
  await petstore.orders.place({ petId: 2 })

  const history = await Array.fromAsync(petstore.events.list({ petId: 2n, sort: '-id', limit: 1 }))
  const ofOrder = await petstore.events.list({ orderId: 1 }).page()

  assert.deepEqual(
    history.map(({ id }) => id),
    ['4', '3', '2'],
  )
  assert.deepEqual(ofOrder.items.map(sentMembers), [history[0]])
  assert.ok(history.every(({ keyid, keyname, requestid }) => keyid && keyname && requestid))
})

test('a list of events ends with the latest', async (t) => {
  const { petstore } = await startClient(t)
  for (let id = 1; id <= 5; id++) await petstore.pets.create(rex)

  const events = await Array.fromAsync(petstore.events.list({ after: 1, limit: 2 }))

  assert.deepEqual(
    events.map(({ id }) => id),
    ['2', '3', '4', '5'],
  )
})

test('a list of events continues from the cursor of a page', async (t) => {
  const { petstore } = await startClient(t)
  for (let id = 1; id <= 5; id++) await petstore.pets.create(rex)

  const pages = await Array.fromAsync(petstore.events.list({ limit: 2 }).pages())
  const rest = await Array.fromAsync(petstore.events.list({ after: pages[1]?.cursor }))

  assert.deepEqual(
    pages.map(({ cursor }) => cursor === undefined),
    [false, false, true],
  )
  assert.deepEqual(
    rest.map(({ id }) => id),
    ['5'],
  )
})

test('broken connections lose and repeat no event', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  const received = take(petstore.events.follow({ after: '0' }), 60)
  void received.catch(() => undefined)

  for (let id = 1; id <= 60; id++) {
    await service.create({ name: `Pet ${id}`, categoryId: 1 })
    if (id % 20 === 0) {
      proxy.next('reset', unavailable)
      proxy.cut()
      await sleep(20)
    }
  }

  assert.deepEqual(
    (await received).map(({ id }) => id),
    Array.from({ length: 60 }, (_, index) => String(index + 1)),
  )
  assert.ok(proxy.requests.length >= 4)
})

test('a connection that breaks before the first event loses none', async (t) => {
  const { petstore, proxy, service } = await startClient(t)
  await service.create(JSON.stringify({ name: 'Old', categoryId: 1 }))
  const coming = take(petstore.events, 1)
  await proxy.untilAnswered(1)
  await sleep(50)
  // If this process stood still meanwhile, the response is still on its way to the client.
  for (let tick = 0; tick < 20; tick++) await setImmediate()

  proxy.cut()
  await service.create(JSON.stringify({ name: 'New', categoryId: 1 }))

  assert.deepEqual(
    (await coming).map(({ id }) => id),
    ['2'],
  )
})

test('a silent connection is reopened', async (t) => {
  const { petstore, requests } = await follower(t, ({ count, response }) => {
    response.write('retry: 1\nid: 7\n\n')
    if (count === 3) response.write(frame('8'))
  })

  const received = await take(petstore.events.follow({ maxSilenceMs: 50 }), 1)

  assert.deepEqual(received, [{ ...eventOf('8'), position: '8' }])
  assert.deepEqual(lastEventIds(requests), [undefined, '7', '7'])
})

test('follow reports when the stream is connected and when it is not', async (t) => {
  const { petstore } = await follower(t, ({ count, response }) => {
    response.write('retry: 1\nid: 7\n\n')
    if (count === 2) response.write(frame('8'))
    else response.end()
  })
  const states: boolean[] = []

  await take(petstore.events.follow({ onConnection: (isConnected) => states.push(isConnected) }), 1)

  assert.deepEqual(states, [true, false, true, false])
})

test('the id of a stream is sent back unchanged', async (t) => {
  const ids = ['17-k3x9a2', 'a b:c', '0017']
  const { petstore, requests } = await follower(t, ({ count, response }) => {
    response.end(`retry: 1\n\n${frame(String(count), ids[count - 1] ?? '')}`)
  })

  await take(petstore.events.follow({ after: '16-k3x9a2' }), 3)

  assert.deepEqual(lastEventIds(requests), ['16-k3x9a2', '17-k3x9a2', 'a b:c'])
})

test('the position of an event resumes a stream, also in another process', async (t) => {
  const { petstore, requests } = await follower(t, ({ response }) => response.write(frame('17', '17-k3x9a2')))
  const [event] = await take(petstore.events, 1)
  assert.ok(event !== undefined)

  assert.equal(positionOf(event), '17-k3x9a2')
  await take(petstore.events.follow({ after: positionOf(event) }), 1)

  assert.deepEqual(lastEventIds(requests), [undefined, '17-k3x9a2'])
})

test('the position of a listed event names its history, and so does that of a copy', async (t) => {
  const { petstore } = await startClient(t)
  for (let count = 0; count < 3; count++) await petstore.pets.create(rex)
  const { items, position = '' } = await petstore.events.list().page()
  const [event] = items
  assert.ok(event !== undefined)

  assert.match(position, /^3-\w{8}$/)
  assert.deepEqual(
    items.map(positionOf),
    ['1', '2', '3'].map((id) => id + position.slice(1)),
  )
  assert.equal(positionOf(structuredClone(event)), positionOf(event))
  assert.equal(positionOf({ id: '1' }), '1')
  const following = await Array.fromAsync(petstore.events.list({ after: positionOf(event) }))
  assert.deepEqual(
    following.map(({ id }) => id),
    ['2', '3'],
  )
})

test('the position of a listed event is gone in another history', async (t) => {
  const [one, other] = [await startClient(t), await startClient(t)]
  for (const { petstore } of [one, other]) await petstore.pets.create(rex)
  const { items, position } = await one.petstore.events.list().page()
  const [event] = items
  assert.ok(event !== undefined)

  for (const after of [position, positionOf(event)]) {
    await assert.rejects(Array.fromAsync(other.petstore.events.list({ after })), { code: 'gone' })
  }
})

for (const [name, answer] of [
  ['500', refusal(500, 'internal')],
  ['503', unavailable],
  ['429', refusal(429, 'rate_limited', { 'retry-after': '0' })],
  ["a gateway's 429", htmlAnswer(429)],
  ["a gateway's 403", htmlAnswer(403)],
  ["a gateway's 404", htmlAnswer(404)],
  ["a gateway's 500", htmlAnswer(500)],
  ["a gateway's 502", htmlAnswer(502)],
  ['a page of a captive portal', htmlAnswer(200)],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ['a refusal that is cut off', { ...jsonAnswer(401, null), body: '{' }],
  ['a reset connection', 'reset'],
  ['no answer', 'hang'],
] as const) {
  test(`follow reconnects after ${name}, repeatedly`, async (t) => {
    const timeoutMs = name === 'no answer' ? 300 : 60_000
    const { petstore, proxy, service } = await startClient(t, { timeoutMs, retry: { maxAttempts: 2 } })
    await service.create({ name: 'Rex', categoryId: 1 })
    const events = petstore.events.follow({ after: 0 })
    await events.next()

    proxy.next(...Array.from({ length: name === 'no answer' ? 2 : 6 }, () => answer))
    proxy.cut()
    await service.create({ name: 'Max', categoryId: 1 })

    assert.equal((await events.next()).value?.id, '2')
    await events.return()
  })
}

for (const code of ['gone', 'unauthorized', 'forbidden', 'invalid_parameter'] as const) {
  test(`a ${code} of the service at a reconnect ends follow`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    const status = { gone: 410, unauthorized: 401, forbidden: 403, invalid_parameter: 400 }[code]
    await petstore.pets.create(rex)
    const events = petstore.events.follow({ after: 0 })
    await events.next()

    proxy.next(refusal(status, code))
    proxy.cut()

    await assert.rejects(events.next(), (error) => isPetStoreError(error, code))
  })
}

test('a Retry-After longer than a timer is respected', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const events = petstore.events.follow({ after: 0 })
  const waiting = events.next()
  await proxy.untilAnswered(1)
  const timers = t.mock.method(globalThis, 'setTimeout')

  proxy.next(refusal(503, 'unavailable', { 'retry-after': '9999999999' }))
  proxy.cut()
  const delays = () => timers.mock.calls.map(({ arguments: [, ms] }) => ms ?? 0)
  while (!delays().some((ms) => ms > 1e9)) await sleep(5)

  assert.ok(Math.max(...delays()) < 2 ** 31)
  await events.return()
  assert.deepEqual(await waiting, { done: true, value: undefined })
})

for (const retryMs of [0, 4]) {
  test(`the delay grows if every stream ends at once, even with retry: ${retryMs}`, async (t) => {
    const delays: number[] = []
    const { petstore } = await follower(t, ({ count, response }) => {
      response.end(count < 8 ? `retry: ${retryMs}\nid: 7\n\n` : frame('8'))
    })
    t.mock.method(Math, 'random', () => 1)
    const start = globalThis.setTimeout
    t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
      if (ms < 1000) delays.push(ms)
      return start(run, ms)
    })

    await take(petstore.events, 1)

    const first = Math.max(retryMs, 1)
    assert.deepEqual(
      delays,
      [1, 2, 4, 8, 16, 32, 64].map((factor) => factor * first),
    )
  })
}

for (const [name, data] of [
  ['not JSON', '{"id":'],
  ['no event', '5'],
] as const) {
  test(`an event that is ${name} ends follow with a client error`, async (t) => {
    const { petstore } = await follower(t, ({ response }) => response.write(`id: 7\ndata: ${data}\n\n`))

    await assert.rejects(petstore.events.follow().next(), UnexpectedResponseError)
  })
}

test('the media type of a stream is case-insensitive and compared exactly', async (t) => {
  const typed = (type: string) =>
    follower(t, ({ response }) => response.write(frame('8')), { 'content-type': type }).then(({ petstore }) => petstore)

  for (const type of ['Text/Event-Stream', 'text/event-stream;charset=utf-8']) {
    assert.equal((await take((await typed(type)).events, 1)).length, 1)
  }
  await assert.rejects(take((await typed('text/event-streams')).events, 1), UnexpectedResponseError)
})

test('follow rejects with gone if events have expired', async (t) => {
  const { petstore, service } = await startClient(t)
  for (let id = 1; id <= 3; id++) await petstore.pets.create(rex)
  await service.storage.events.forget(Date.now() + 1000)

  await assert.rejects(take(petstore.events.follow({ after: 1 }), 1), (error) => isPetStoreError(error, 'gone'))
})

test('follow rejects with gone for an unknown position', async (t) => {
  const { petstore } = await startClient(t)
  await petstore.pets.create(rex)

  await assert.rejects(take(petstore.events.follow({ after: '99' }), 1), (error) => isPetStoreError(error, 'gone'))
})

test('an invalid key ends follow', async (t) => {
  const { petstore } = await startClient(t, { apiKey: 'pet_live_unknown' })

  await assert.rejects(take(petstore.events, 1), (error) => isPetStoreError(error, 'unauthorized'))
})

for (const [name, failure] of [
  ['a 503 of the service', unavailable],
  ["a gateway's 502", htmlAnswer(502)],
  ['a page of a captive portal', htmlAnswer(200)],
  ['a response that is not a stream', jsonAnswer(200, [])],
  ['a reset connection', 'reset'],
] as const) {
  test(`follow makes its first connection in spite of ${name}, and tells each failure`, async (t) => {
    const { petstore, proxy } = await startClient(t, { retry: { maxAttempts: 2 } })
    await petstore.pets.create(rex)
    const attempts: number[] = []
    proxy.next(...Array.from({ length: 6 }, () => failure))

    const events = petstore.events.follow({ after: 0, onRetry: ({ attempt }) => attempts.push(attempt) })

    assert.equal((await events.next()).value?.id, '1')
    assert.deepEqual(attempts, [1, 2, 3, 4, 5, 6])
    await events.return()
  })
}

for (const [failure, error] of [
  ['reset', ConnectionError],
  [htmlAnswer(404), UnexpectedResponseError],
  [unavailable, PetStoreError],
] as const) {
  test(`follow rejects with ${error.name} if it has no first connection within totalTimeoutMs`, async (t) => {
    const { petstore, proxy } = await startClient(t, { retry: { totalTimeoutMs: 1_500 } })
    proxy.next(...Array.from({ length: 10_000 }, () => failure))

    await assert.rejects(petstore.events.follow().next(), error)
  })
}

test('follow does not wait for its first connection longer than totalTimeoutMs, whatever Retry-After says', async (t) => {
  const { petstore, proxy } = await startClient(t)
  proxy.next(refusal(503, 'unavailable', { 'retry-after': '3600' }))

  await assert.rejects(petstore.events.follow().next(), (error) => isPetStoreError(error, 'unavailable'))
  assert.equal(proxy.requests.length, 1)
})

test('an abort rejects with its reason and closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const aborter = new AbortController()
  const reason = new Error('Enough.')
  const coming = take(petstore.events.follow({ signal: aborter.signal }), 1)
  await proxy.untilAnswered(1)

  aborter.abort(reason)

  await assert.rejects(coming, (error) => error === reason)
  await proxy.untilClosed()
})

test('leaving the loop closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  await petstore.pets.create(rex)

  await take(petstore.events.follow({ after: 0 }), 1)

  await proxy.untilClosed()
})

test('return ends a pending next and closes the connection', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const events = petstore.events.follow()
  const waiting = events.next()
  await proxy.untilAnswered(1)

  assert.deepEqual(await events.return(), { done: true, value: undefined })

  assert.deepEqual(await waiting, { done: true, value: undefined })
  assert.deepEqual(await events.next(), { done: true, value: undefined })
  await proxy.untilClosed()
})

test('return ends the delay before a reconnect', async (t) => {
  const { petstore, proxy } = await startClient(t, { retry: { baseDelayMs: 60_000, maxDelayMs: 60_000 } })
  const events = petstore.events.follow()
  const waiting = events.next()
  await proxy.untilAnswered(1)
  proxy.cut()
  await proxy.untilClosed()

  await events.return()

  assert.deepEqual(await waiting, { done: true, value: undefined })
})

for (const error of [undefined, new Error('Enough.')]) {
  test(`a Readable made from follow is destroyed ${error === undefined ? 'without' : 'with'} an error`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    const readable = Readable.from(petstore.events.follow()).on('error', () => undefined)
    readable.resume()
    await proxy.untilAnswered(1)

    readable.destroy(error)

    await proxy.untilClosed()
    assert.equal(readable.destroyed, true)
  })
}

async function take(events: AsyncIterable<ShopEvent>, count: number): Promise<ShopEvent[]> {
  const taken: ShopEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

/** A client of a server that answers every request with a stream. */
async function follower(
  t: TestContext,
  answer: (conversation: Conversation) => void,
  headers?: Record<string, string>,
): Promise<{ petstore: PetStore; requests: IncomingMessage[] }> {
  const { origin, requests } = await streamingServer(t, answer, headers)
  return { petstore: new PetStore({ baseUrl: `${origin}/v1`, apiKey: 'key' }), requests }
}

function eventOf(id: string): object {
  return {
    specversion: '1.0',
    id,
    source: 'http://shop.example/v1',
    type: 'petstore.pet.created',
    subject: 'pets/1',
    time: '2026-11-15T09:30:00Z',
    datacontenttype: 'application/json',
    data: { id: 1, name: 'Rex', categoryId: 1 },
  }
}

function frame(id: string, position = id): string {
  return `id: ${position}\ndata: ${JSON.stringify(eventOf(id))}\n\n`
}

function lastEventIds(requests: readonly IncomingMessage[]): unknown[] {
  return requests.map(({ headers }) => headers['last-event-id'])
}
