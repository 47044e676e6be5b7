import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { type EventStream, followEvents, numberOf, type WireEvent } from '../support/event-stream.ts'
import { idsOf, large, startShop } from '../support/stream-requests.ts'

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

  assert.equal(numberOf(stream.events.at(-1) as WireEvent), '3000')
})

test('a burst of events does not close a reader that keeps up', async (t) => {
  const app = await startShop(t, 0)
  const stream = await followEvents(t, app)

  await app.storage.imports.add(Array.from({ length: 20_000 }, () => ({ name: 'Rex', categoryId: 1n })))
  await stream.until(() => stream.events.length === 20_000)

  assert.equal(numberOf(stream.events.at(-1) as WireEvent), '20000')
})
