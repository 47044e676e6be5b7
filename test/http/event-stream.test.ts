import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp, type TestApp } from '../support/app.ts'
import { engines, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { type EventStream, followEvents } from '../support/event-stream.ts'
import { assertPassed } from '../support/promised-time.ts'
import { until } from '../support/until.ts'

/** A thousand characters that take six bytes each as JSON. */
const large = '\u0001'.repeat(1000)

for (const engine of engines) {
  test(`${engine.name}: a stream sends each new event as a frame`, async (t) => {
    const app = await startShop(t, 2, { engine })
    const stream = await followEvents(t, app)

    await app.create('{"name":"Rex","categoryId":9007199254740993}')
    await app.sendJson('PATCH /v1/pets/3', { name: 'two\nlines\r\n\r\ndata: x' })
    await stream.until(() => stream.events.length === 2)

    const page = await app.send('/v1/events?after=2')
    const [first = '', second = ''] = page.text.slice(1, -1).split(/(?<=\}),(?=\{"specversion)/)
    const { lineage } = await app.storage.events.latest()
    assert.match(lineage ?? '', /^\w{8}$/)
    assert.equal(
      stream.text(),
      `retry: 1000\nid: 2-${lineage}\n\nid: 3-${lineage}\ndata: ${first}\n\nid: 4-${lineage}\ndata: ${second}\n\n`,
    )
    assert.match(first, /9007199254740993/)
  })
}

test('a stream has the headers of a stream', async (t) => {
  const app = await startApp(t, { corsOrigins: ['https://shop.example'], rateLimit: 100 })

  const { answer } = await followEvents(t, {
    ...app,
    headers: { origin: 'https://shop.example', 'x-request-id': 'mine' },
  })

  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'text/event-stream')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['x-accel-buffering'], 'no')
  assert.equal(answer.headers['x-request-id'], 'mine')
  assert.equal(answer.headers['stability'], 'experimental')
  assert.equal(answer.headers['access-control-allow-origin'], 'https://shop.example')
  assert.match(answer.headers['vary'] ?? '', /\bOrigin\b.*\bAccept\b/)
  assert.match(String(answer.headers['ratelimit']), /r=99/)
})

for (const accept of [
  'text/event-stream',
  'Text/Event-Stream',
  'text/event-stream;q=0.9, application/json;q=0.1',
  'text/html, text/event-stream',
]) {
  test(`Accept: ${accept} gets a stream`, async (t) => {
    const app = await startApp(t)

    const { answer } = await followEvents(t, { ...app, headers: { accept } })

    assert.equal(answer.headers['content-type'], 'text/event-stream')
  })
}

for (const accept of ['*/*', 'application/json', 'text/*', 'text/event-streams', 'x-text/event-stream', '']) {
  test(`Accept: ${accept} gets a page`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send('/v1/events', { headers: { accept } })

    assert.equal(answer.headers.get('content-type'), 'application/json')
  })
}

test('a stream without a key, or of a service without streams, is refused', async (t) => {
  const { send } = await startApp(t)
  const { send: ofBeta } = await startApp(t, { minStability: 'beta' })
  const headers = { accept: 'text/event-stream' }

  assert.equal((await send('/v1/events', { headers: { ...headers, authorization: 'Bearer x' } })).status, 401)
  assert.equal((await ofBeta('/v1/events', { headers })).status, 404)
})

for (const [how, path, headers] of [
  ['Last-Event-ID', '/v1/events', { 'last-event-id': '3' }],
  ['after', '/v1/events?after=3', {}],
  ['Last-Event-ID, which counts before after', '/v1/events?after=1', { 'last-event-id': '3' }],
  ['an empty Last-Event-ID beside after', '/v1/events?after=3', { 'last-event-id': '' }],
] as const) {
  test(`a stream resumes at a position: ${how}`, async (t) => {
    const app = await startShop(t, 5)

    const stream = await followEvents(t, { ...app, path, headers })
    await stream.until(() => stream.events.length === 2)
    await app.create({ name: 'Rex', categoryId: 1 })
    await stream.until(() => stream.events.length === 3)

    assert.deepEqual(idsOf(stream), ['4', '5', '6'])
  })
}

test('after=0 starts with the oldest stored event', async (t) => {
  const app = await startShop(t, 3)

  const stream = await followEvents(t, { ...app, path: '/v1/events?after=0' })
  await stream.until(() => stream.events.length === 3)

  assert.deepEqual(idsOf(stream), ['1', '2', '3'])
})

test('an id above the latest event is gone', async (t) => {
  const { send } = await startShop(t, 2)

  for (const accept of ['application/json', 'text/event-stream']) {
    assertError(await send('/v1/events?after=3', { headers: { accept } }), 'gone')
  }
  assertError(await send('/v1/events', { headers: { accept: 'text/event-stream', 'last-event-id': '3' } }), 'gone')
})

for (const engine of engines) {
  test(`${engine.name}: a client that reconnects often while others write misses and repeats nothing`, async (t) => {
    const app = await startApp(t, { engine })
    const seen: string[] = []
    const state = { writing: true }
    const writers = Array.from({ length: 4 }, async () => {
      while (state.writing) {
        await app.storage.pets.create({ name: 'Rex', categoryId: 1n })
        await wait(1)
      }
    })

    for (let visit = 0; visit < 12; visit++) {
      const stream = await followEvents(t, { ...app, headers: { 'last-event-id': seen.at(-1) ?? '0' } })
      // Left now at once, now after a while, in the middle of whatever is being sent.
      await stream.until(() => stream.events.length > visit * 5)
      stream.leave()
      seen.push(...idsOf(stream))
    }
    state.writing = false
    await Promise.all(writers)

    assert.deepEqual(
      seen,
      seen.map((_, index) => String(index + 1)),
    )
    assert.ok(seen.length > 300)
  })

  test(`${engine.name}: readers that connect while others write get every event once`, async (t) => {
    const app = await startShop(t, 250, { engine })
    const state = { writing: true }
    const writer = (async () => {
      while (state.writing) await app.storage.pets.create({ name: 'Rex', categoryId: 1n })
    })()

    const streams: EventStream[] = []
    for (let count = 0; count < 30; count++) {
      streams.push(await followEvents(t, { ...app, path: `/v1/events?after=${count * 7}` }))
      await wait(3)
    }
    state.writing = false
    await writer
    const latest = String((await app.storage.events.latest()).id)
    await Promise.all(streams.map((stream) => stream.until(() => idsOf(stream).at(-1) === latest)))

    for (const [count, stream] of streams.entries()) {
      const ids = idsOf(stream)
      assert.equal(ids[0], String(count * 7 + 1))
      assert.equal(ids.length, Number(latest) - count * 7)
      assert.equal(new Set(ids).size, ids.length)
    }
  })
}

test('a reader that is far behind catches up at its own pace', async (t) => {
  const app = await startShop(t, 0)
  const pets = Array.from({ length: 3_000 }, () => ({ name: large, categoryId: 1n }))
  await app.storage.imports.add(pets)

  const stream = await followEvents(t, { ...app, path: '/v1/events?after=0' })
  await stream.until(() => stream.events.length === 3_000)

  assert.equal(stream.events.at(-1)?.id, '3000')
})

test('a burst of events does not close a reader that keeps up', async (t) => {
  const app = await startShop(t, 0)
  const stream = await followEvents(t, app)

  await app.storage.imports.add(Array.from({ length: 20_000 }, () => ({ name: 'Rex', categoryId: 1n })))
  await stream.until(() => stream.events.length === 20_000)

  assert.equal(stream.events.at(-1)?.id, '20000')
})

test('a stream sends heartbeats', async (t) => {
  const app = await startApp(t, { heartbeatMs: 20 })
  const stream = await followEvents(t, app)

  await stream.until(() => stream.text().split(': still here\n\n').length > 3)

  assert.match(stream.text(), /^retry: 1000\nid: 0-\w{8}\n\n(: still here\n\n)+$/)
})

test('a stopping service ends streams properly', async (t) => {
  const app = await startShop(t, 3)
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => followEvents(t, { ...app, path: '/v1/events?after=0' })),
  )
  const stalled = await openStalled(app)
  t.after(() => stalled.destroy())
  await Promise.all(streams.map((stream) => stream.until(() => stream.events.length === 3)))

  const started = performance.now()
  const closing = app.app.close()

  for (const stream of streams) assert.equal(await stream.ended, true)
  for (const stream of streams) stream.leave()
  assertPassed(2_000, started)
  stalled.destroy()
  await closing
})

test('a stalled reader does not delay the stop', async (t) => {
  const app = await startShop(t, 0)
  const held: Socket[] = []
  app.app.server.on('connection', (socket) => held.push(socket))
  const stalled = await openStalled(app)
  t.after(() => stalled.destroy())
  // More than the system keeps for a connection, and less than what it is let go for.
  while (held[0]?.writableLength === 0) {
    await app.storage.imports.add(Array.from({ length: 100 }, () => ({ name: large, categoryId: 1n })))
    await wait(150)
  }
  assert.equal(held[0]?.destroyed, false)

  const started = performance.now()
  await app.app.close()

  assertPassed(2_000, started)
})

test('a stream logs one line when it ends', async (t) => {
  const app = await startApp(t, { heartbeatMs: 30 })
  const { id, secret } = await app.makeKey()
  const left = await followEvents(t, { ...app, headers: { 'x-request-id': 'left' } })
  await followEvents(t, { ...app, key: secret, headers: { 'x-request-id': 'revoked' } })
  await app.send('/v1/pets')
  const lines = () => app.answered.filter(({ route }) => route === '/v1/events')
  assert.deepEqual(lines(), [])

  left.leave()
  await app.storage.keys.revoke(id, Date.now())
  while (lines().length < 2) await wait(10)
  await wait(100)

  assert.equal(lines().length, 2)
  assert.deepEqual(
    new Map(lines().map(({ requestId, status }) => [requestId, status])),
    new Map([
      ['left', 200],
      ['revoked', 200],
    ]),
  )
  assert.deepEqual(app.failures, [])
})

test('a temporary storage failure loses no event', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let broken = false
  const events = {
    ...storage.events,
    list: (limit: number, after?: bigint) =>
      broken ? Promise.reject(new Error('the disk is gone')) : storage.events.list(limit, after),
  }
  const app = await startApp(t, { storage: { ...storage, events } })
  const stream = await followEvents(t, app)
  await app.create({ name: 'Rex', categoryId: 1 })
  await stream.until(() => stream.events.length === 1)

  broken = true
  await app.create({ name: 'Tom', categoryId: 1 })
  await wait(250)
  broken = false
  await stream.until(() => stream.events.length === 2)

  assert.deepEqual(idsOf(stream), ['1', '2'])
})

test('the storage is not polled without readers', async (t) => {
  const storage = await sqliteInMemory.open(t)
  let looks = 0
  const events = {
    ...storage.events,
    list(limit: number, after?: bigint) {
      looks++
      return storage.events.list(limit, after)
    },
  }
  const app = await startApp(t, { storage: { ...storage, events } })
  const stream = await followEvents(t, app)
  stream.leave()
  await until(() => app.streams.open === 0)
  await wait(300)

  const before = looks
  await wait(300)

  assert.equal(looks, before)
})

/** A shop where `count` animals were added, an event each. */
async function startShop(
  t: TestContext,
  count: number,
  options: Parameters<typeof startApp>[1] = {},
): Promise<TestApp> {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++) await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n })
  return app
}

/** A stream that was asked for and is never read. */
async function openStalled({ origin, key, streams }: TestApp, path = '/v1/events') {
  const before = streams.open
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  await until(() => streams.open > before)
  return socket
}

function idsOf(stream: EventStream): string[] {
  return stream.events.map(({ id }) => id)
}
