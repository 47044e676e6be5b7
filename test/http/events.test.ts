import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Answer, startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { numberOf, type WireEvent } from '../support/event-stream.ts'
import { invalidLimits } from '../support/invalid-limits.ts'

const noon = Date.UTC(2027, 0, 1, 12)
const day = 24 * 60 * 60 * 1000

/** A shop where `count` animals were added, an event each. */
async function startShop(t: TestContext, count: number, options: Parameters<typeof startApp>[1] = {}) {
  const app = await startApp(t, options)
  for (let id = 1; id <= count; id++) await app.storage.pets.create({ name: `animal ${id}`, categoryId: 1n })
  return app
}

for (const engine of engines) {
  test(`${engine.name}: every change leaves its events, in order, with the data of the response`, async (t) => {
    const { create, sendJson, send } = await startApp(t, { engine })
    const read = async () => (await send('/v1/pets/1')).text

    const created = await create('{"name":"Re\\u0301x 🐶","categoryId":9007199254740993,"status":"available"}')
    const updated = await sendJson('PATCH /v1/pets/1', '{"categoryId":-9223372036854775808}')
    const placed = await sendJson('POST /v1/store/orders', { petId: 1 })
    const pending = await read()
    const cancelled = await sendJson('PATCH /v1/store/orders/1', { status: 'cancelled' })
    const available = await read()
    const placedAgain = await sendJson('POST /v1/store/orders', { petId: 1 })
    const completed = await sendJson('PATCH /v1/store/orders/2', { status: 'completed' })
    const sold = await read()
    await send('/v1/pets/1', { method: 'DELETE' })

    const expected: [type: string, subject: string, data: string][] = [
      ['pet.created', 'pets/1', created.text],
      ['pet.updated', 'pets/1', updated.text],
      ['pet.updated', 'pets/1', pending],
      ['order.placed', 'store/orders/1', placed.text],
      ['pet.updated', 'pets/1', available],
      ['order.cancelled', 'store/orders/1', cancelled.text],
      ['pet.updated', 'pets/1', pending],
      ['order.placed', 'store/orders/2', placedAgain.text],
      ['pet.updated', 'pets/1', sold],
      ['order.completed', 'store/orders/2', completed.text],
      ['pet.deleted', 'pets/1', sold],
    ]
    const answer = await send('/v1/events')
    const events = answer.body as WireEvent[]
    assert.deepEqual(
      events.map((event) => [numberOf(event), event.type, event.subject]),
      expected.map(([type, subject], index) => [String(index + 1), `petstore.${type}`, subject]),
    )
    // As text: JSON.parse would round the long integers of both.
    assert.deepEqual(
      answer.text
        .split('"data":')
        .slice(1)
        .map((rest) => rest.slice(0, rest.indexOf('}') + 1)),
      expected.map(([, , data]) => data),
    )
  })
}

test('an event is a CloudEvent 1.0', async (t) => {
  const { create, send, makeKey } = await startApp(t, { clock: () => noon })
  const { id, secret } = await makeKey({ name: 'Till' })
  const headers = { authorization: `Bearer ${secret}`, 'x-request-id': 'r-1' }
  const pet = await create({ name: 'Rex', categoryId: 1 }, headers)

  const answer = await send('/v1/events')

  const [, lineage = ''] = answer.headers.get('event-position')?.split('-') ?? []
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(
    answer.text,
    `[{"specversion":"1.0","id":"1-${lineage}","source":"/v1","type":"petstore.pet.created","subject":"pets/1",` +
      '"time":"2027-01-01T12:00:00.000Z","datacontenttype":"application/json","sequence":"0000000000000000001",' +
      `"keyid":"${id}","keyname":"Till","requestid":"r-1","data":${pet.text}}]`,
  )
})

for (const environment of ['production', 'staging'] as const) {
  test(`the source of an event is the configured base address of ${environment}`, async (t) => {
    const baseUrls = { production: 'https://pets.example/v1', staging: 'https://staging.pets.example/v1' }
    const { send } = await startShop(t, 1, { environment, baseUrls })

    const [event] = (await send('/v1/events')).body as WireEvent[]

    assert.equal(event?.source, baseUrls[environment])
  })
}

test('a refused or ineffective request leaves no event', async (t) => {
  const { create, sendJson, send } = await startShop(t, 1)
  await create({ name: '' })
  await create({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'a' })

  await create({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': 'a' })
  await create({ name: 'Tom', categoryId: 1 }, { 'idempotency-key': 'a' })
  await sendJson('PATCH /v1/pets/1', {})
  await sendJson('PATCH /v1/pets/1', { name: 'animal 1', status: null })
  await sendJson('PATCH /v1/pets/1', { name: 'Tom' }, { 'if-match': '"stale"' })
  await sendJson('PATCH /v1/pets/9', { name: 'Tom' })
  await send('/v1/pets/9', { method: 'DELETE' })
  await sendJson('POST /v1/store/orders', { petId: 1 })
  await sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })

  assert.deepEqual(idsOf(await send('/v1/events')), ['1', '2'])
})

test('there are no events at first', async (t) => {
  const { send } = await startApp(t)

  for (const query of ['', '?after=0']) {
    const answer = await send(`/v1/events${query}`)
    assert.equal(answer.text, '[]')
    assert.equal(answer.headers.get('link'), null)
  }
})

for (const engine of engines) {
  for (const limit of [1, 7, 20, 45, 100]) {
    test(`${engine.name}: following the links sees every event once, in order: limit ${limit}`, async (t) => {
      const { send } = await startShop(t, 45, { engine })

      const seen: string[] = []
      let pages = 0
      let next: string | undefined = `/v1/events?limit=${limit}`
      for (; next !== undefined; pages++) {
        const page: Answer = await send(next)
        seen.push(...idsOf(page))
        next = nextOf(page)
      }

      assert.deepEqual(seen, range(1, 45))
      assert.equal(pages, Math.ceil(45 / limit))
    })
  }
}

test('a page of events has 20 by default and links to the next', async (t) => {
  const { send, origin, storage } = await startShop(t, 45)
  const { lineage } = await storage.events.latest()

  const first = await send('/v1/events')
  const second = await send('/v1/events?limit=2&after=20')

  assert.deepEqual(idsOf(first), range(1, 20))
  assert.equal(first.headers.get('link'), `<${origin}/v1/events?after=20-${lineage}>; rel="next"`)
  assert.deepEqual(idsOf(second), ['21', '22'])
  assert.equal(second.headers.get('link'), `<${origin}/v1/events?limit=2&after=22-${lineage}>; rel="next"`)
})

test('a reader at the end continues with the id of the last event', async (t) => {
  const { send, create } = await startShop(t, 3)

  assert.equal((await send('/v1/events?after=3')).text, '[]')
  await create({ name: 'Rex', categoryId: 1 })

  assert.deepEqual(idsOf(await send('/v1/events?after=3')), ['4'])
})

for (const after of ['', '-1', 'abc', '01', '1.0', '1e1', '+5', '%205', '0x1', '9223372036854775808', '1&after=1']) {
  test(`listEvents refuses after=${after}`, async (t) => {
    const { send } = await startShop(t, 1)

    const answer = await send(`/v1/events?after=${after}`)

    assertError(answer, 'invalid_parameter')
    assert.match(
      (answer.body as { message: string }).message,
      /^after must be (a string that is the id of an event of this service|given once)\.$/,
    )
  })
}

for (const limit of invalidLimits) {
  test(`listEvents refuses limit=${limit}, in a stream too`, async (t) => {
    const { send } = await startApp(t)

    for (const accept of ['application/json', 'text/event-stream'])
      assertError(await send(`/v1/events?limit=${limit}`, { headers: { accept } }), 'invalid_parameter')
  })
}

for (const id of ['abc', '-1', '01', '1.5', '9223372036854775808', '1, 2']) {
  test(`a stream refuses Last-Event-ID: ${id}`, async (t) => {
    const { send } = await startApp(t)

    const answer = await send('/v1/events', { headers: { accept: 'text/event-stream', 'last-event-id': id } })

    assertError(answer, 'invalid_parameter')
    assert.match(answer.text, /Last-Event-ID/)
  })
}

for (const engine of engines) {
  test(`${engine.name}: a request for expired events is gone`, async (t) => {
    let now = noon
    const { storage, send, create } = await startShop(t, 5, { engine, clock: () => now })
    now += day
    for (const name of ['six', 'seven']) await create({ name, categoryId: 1 })

    const forgotten = await storage.events.forget(now)

    assert.equal(forgotten, 5)
    for (const after of ['1', '4']) {
      const answer = await send(`/v1/events?after=${after}`)
      assertError(answer, 'gone')
      assert.match(answer.text, /have expired/)
      assertError(await send(`/v1/events?after=${after}`, { headers: { accept: 'text/event-stream' } }), 'gone')
      assertError(
        await send('/v1/events', { headers: { accept: 'text/event-stream', 'last-event-id': after } }),
        'gone',
      )
    }
    assert.deepEqual(idsOf(await send('/v1/events?after=5')), ['6', '7'])
    assert.deepEqual(idsOf(await send('/v1/events?after=7')), [])
    assert.deepEqual(idsOf(await send('/v1/events')), ['6', '7'])
    assert.deepEqual(idsOf(await send('/v1/events?after=0')), ['6', '7'])
  })

  test(`${engine.name}: ids continue after all events have expired`, async (t) => {
    const { storage, send, create } = await startShop(t, 3, { engine })
    await storage.events.forget(Date.now() + day)

    assert.equal((await send('/v1/events')).text, '[]')
    assert.equal((await send('/v1/events?after=3')).text, '[]')
    assertError(await send('/v1/events?after=2'), 'gone')

    await create({ name: 'Rex', categoryId: 1 })
    assert.deepEqual(idsOf(await send('/v1/events?after=3')), ['4'])
  })
}

test('a page of events is revalidated by its ETag', async (t) => {
  const { send, create } = await startShop(t, 20)
  const headers = { 'if-none-match': (await send('/v1/events')).headers.get('etag') ?? '' }

  const unchanged = await send('/v1/events', { headers })
  // The page stays the same, but now there is a next one.
  await create({ name: 'Rex', categoryId: 1 })
  const changed = await send('/v1/events', { headers })

  assert.deepEqual([unchanged.status, unchanged.text, changed.status], [304, '', 200])
  assert.equal(changed.headers.get('cache-control'), 'private, no-cache')
  assert.match(changed.headers.get('vary') ?? '', /\bAccept\b/)
})

for (const accept of ['application/json', 'text/event-stream']) {
  test(`HEAD has the headers of GET and ends: Accept ${accept}`, async (t) => {
    const { send } = await startShop(t, 30)
    const got = await send('/v1/events')

    const answer = await send('/v1/events', { method: 'HEAD', headers: { accept } })

    assert.equal(answer.status, 200)
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'vary', 'stability'])
      assert.equal(answer.headers.get(name), got.headers.get(name), name)
  })
}

test('a read key can read events', async (t) => {
  const { send, makeKey } = await startShop(t, 1)
  const { secret } = await makeKey({ permission: 'read' })

  const answer = await send('/v1/events', { headers: { authorization: `Bearer ${secret}` } })

  assert.deepEqual(idsOf(answer), ['1'])
})

for (const engine of engines) {
  test(`${engine.name}: a client that polls while many write sees every event once`, async (t) => {
    const { create, send } = await startApp(t, { engine })
    const seen: string[] = []

    const writing = Promise.all(Array.from({ length: 60 }, () => create({ name: 'Rex', categoryId: 1 })))
    while (seen.length < 60) seen.push(...idsOf(await send(`/v1/events?limit=7&after=${seen.at(-1) ?? 0}`)))
    await writing

    assert.deepEqual(seen, range(1, 60))
  })
}

function idsOf(answer: Answer): string[] {
  return (answer.body as WireEvent[]).map(numberOf)
}

function nextOf(answer: Answer): string | undefined {
  return /^<http:\/\/[^/]+([^<>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
}
