import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, isPetStoreError, PetStoreError, UnexpectedResponseError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { numberOf } from '../support/event-stream.ts'
import { htmlAnswer, jsonAnswer, refusal, unavailable } from '../support/made-up-answers.ts'
import { eventOf, follower, frame, lastEventIds, rex, take } from '../support/client-events.ts'

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
    (await received).map(numberOf),
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

  assert.deepEqual((await coming).map(numberOf), ['2'])
})

test('a silent connection is reopened', async (t) => {
  const { petstore, requests } = await follower(t, ({ count, response }) => {
    response.write('retry: 1\nid: 7\n\n')
    if (count === 3) response.write(frame('8'))
  })

  const received = await take(petstore.events.follow({ maxSilenceMs: 50 }), 1)

  assert.deepEqual(received, [eventOf('8')])
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

    assert.equal((await events.next()).value?.sequence.slice(-2), '02')
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

    assert.equal((await events.next()).value?.sequence.slice(-2), '01')
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
