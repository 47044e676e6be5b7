import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { PetStore } from '../../client/src/index.ts'
import { Webhooks, type WebhookTestEvent } from '../../client/src/webhooks.ts'
import { maxRequestedDeliveries } from '../../src/contract/operations/deliveries.ts'
import { maxTriesPerWebhook, type NewDeliveryTry } from '../../src/inventory/deliveries.ts'
import { type Answer, requestsTo, startApp, type TestApp } from '../support/app.ts'
import { type Engine, postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { until } from '../support/until.ts'
import { type Received, type Respond, startReceiver, verify } from '../support/webhook-receiver.ts'

interface Shown {
  id: number
  [member: string]: unknown
}

const resend = (id: number | string) => `/v1/webhooks/1/deliveries/${id}/resend`

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: a test is signed, sent at once, and in the log but not in the feed`, async (t) => {
    const { app, receiver, secret } = await startShop(t, engine)
    const latest = await app.storage.events.latest()

    const answer = await post(app, '/v1/webhooks/1/test')

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const received = receiver.received[0] as Received
    verify(received, secret)
    const { id, time, ...message } = JSON.parse(received.body) as Record<string, string>
    assert.deepEqual(message, { specversion: '1.0', source: '/v1', type: 'petstore.webhook.test' })
    assert.equal(received.headers['webhook-id'], id)
    assert.equal(new Date(time ?? '').toISOString(), time)
    const { durationMs, time: began, ...sent } = answer.body as Shown
    assert.deepEqual(sent, {
      id: sent.id,
      webhookId: 1,
      type: 'petstore.webhook.test',
      attempt: 1,
      status: 204,
      responseStart: '',
    })
    assert.ok(Number.isInteger(durationMs) && typeof began === 'string')
    assert.deepEqual(await listed(app), [answer.body])
    assert.deepEqual(await app.storage.events.latest(), latest)
  })

  test(`${engine.name}: an event is sent again as the feed has it, with the same webhook-id`, async (t) => {
    const { app, receiver, secret } = await startShop(t, engine)
    await app.create({ name: 'Rex', categoryId: 1 })
    const id = await addTry(app, { eventId: 1n, status: 500, nextAttemptAt: Date.now() + 5_000 })

    const answer = await post(app, resend(id))

    assert.equal(answer.status, 200)
    const received = receiver.received[0] as Received
    verify(received, secret)
    const [event] = (await app.send('/v1/events')).body as { id: string }[]
    assert.deepEqual(JSON.parse(received.body), event)
    assert.equal(received.headers['webhook-id'], event?.id)
    const { eventId, type, status, attempt, nextAttemptAt } = answer.body as Shown
    assert.deepEqual([eventId, type, status, attempt], [event?.id, 'petstore.pet.created', 204, 1])
    assert.equal(nextAttemptAt, undefined)
    assert.deepEqual(await app.storage.deliveries.positions(), [])
  })

  test(`${engine.name}: tries are listed the newest first, in pages`, async (t) => {
    const { app } = await startShop(t, engine)
    for (const eventId of [1n, 2n, 3n]) await addTry(app, { eventId, status: 500, nextAttemptAt: 1_000 })
    await addTry(app, { webhookId: 2n, eventId: 4n })

    const first = await app.send('/v1/webhooks/1/deliveries?limit=2')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await app.send(next.slice(app.origin.length))

    const eventsOf = ({ body }: Answer) =>
      (body as Shown[]).map(({ eventId }) => String(eventId).replace(/-\w{8}$/, ''))
    assert.deepEqual([eventsOf(first), eventsOf(second)], [['3', '2'], ['1']])
    assert.equal(new URL(next).searchParams.get('cursor'), first.headers.get('next-cursor'))
    assert.equal(second.headers.get('link'), null)
    assert.equal((first.body as Shown[])[0]?.['nextAttemptAt'], '1970-01-01T00:00:01.000Z')
    const cursor = first.headers.get('next-cursor')
    await app.storage.webhooks.create({ url: 'https://shop.example.com/hook' })
    assertError(await app.send(`/v1/webhooks/2/deliveries?cursor=${cursor}`), 'invalid_parameter')
  })

  test(`${engine.name}: an event that is no longer kept cannot be sent again: 409`, async (t) => {
    const { app, receiver } = await startShop(t, engine)
    await app.create({ name: 'Rex', categoryId: 1 })
    await app.create({ name: 'Tom', categoryId: 1 })
    const id = await addTry(app, { eventId: 1n })
    await app.storage.events.forget(Date.now() + 1_000, Date.now() + 1_000, 1n)

    const answer = await post(app, resend(id))

    assertError(answer, 'conflict')
    assert.match(answer.text, /The event 1-\w{8} is no longer kept/)
    assert.deepEqual(receiver.received, [])
  })

  test(`${engine.name}: a test is not kept, so it cannot be sent again: 409`, async (t) => {
    const { app, receiver } = await startShop(t, engine)
    const { id } = (await post(app, '/v1/webhooks/1/test')).body as Shown

    assertError(await post(app, resend(id)), 'conflict')

    assert.equal(receiver.received.length, 1)
  })

  test(`${engine.name}: an unknown webhook or try is 404`, async (t) => {
    const { app, receiver } = await startShop(t, engine)
    await app.create({ name: 'Rex', categoryId: 1 })
    const ofAnother = await addTry(app, { webhookId: 2n, eventId: 1n })

    for (const id of ['2', '0', 'abc', '9223372036854775808']) {
      assertError(await app.send(`/v1/webhooks/${id}/deliveries`), 'not_found')
      assertError(await post(app, `/v1/webhooks/${id}/test`), 'not_found')
      assertError(await post(app, `/v1/webhooks/${id}/deliveries/${ofAnother}/resend`), 'not_found')
    }
    for (const id of [ofAnother, 999, '0', '-1', 'abc', '9223372036854775808']) {
      assertError(await post(app, resend(id)), 'not_found')
    }
    assert.deepEqual([receiver.received, app.failures], [[], []])
  })

  test(`${engine.name}: a disabled webhook can be tested, and a 410 changes nothing`, async (t) => {
    const { app, receiver } = await startShop(t, engine, () => 410)
    await post(app, '/v1/webhooks/1/test')
    assert.equal((await app.storage.webhooks.find(1n))?.enabled, true)
    await app.sendJson('PATCH /v1/webhooks/1', { enabled: false })

    const { status, responseStart } = (await post(app, '/v1/webhooks/1/test')).body as Shown

    assert.deepEqual([status, responseStart, receiver.received.length], [410, 'a response', 2])
  })

  test(`${engine.name}: the log of a webhook that only gets tests is bounded`, async (t) => {
    const { app } = await startShop(t, engine)
    const tries = Array.from({ length: maxTriesPerWebhook + 50 }, () => newTry({ eventId: 1n }))
    const lease = await app.storage.deliveries.acquire('somebody', 60_000)
    assert.ok(lease !== undefined)
    await app.storage.deliveries.record(lease, 60_000, { positions: [], tries })

    await post(app, '/v1/webhooks/1/test')

    const { items } = await app.storage.deliveries.list(1n, 2 * maxTriesPerWebhook)
    assert.equal(items.length, maxTriesPerWebhook + 1)
  })
}

test('an address that is not public is refused again when something is sent, and the try says so', async (t) => {
  const app = await startApp(t)
  await app.storage.webhooks.create({ url: 'http://10.0.0.1/hook' })

  const { status, body } = await post(app, '/v1/webhooks/1/test')

  assert.equal(status, 200)
  assert.equal((body as Shown)['status'], undefined)
  assert.match(String((body as Shown)['error']), /public/)
})

test('the client sends tests and repetitions, and verifies a test as what its type says', async (t) => {
  const { app, receiver, secret } = await startShop(t, sqliteInMemory)
  const client = new PetStore({ baseUrl: `${app.origin}/v1`, apiKey: app.key })
  await app.create({ name: 'Rex', categoryId: 1 })
  const id = await addTry(app, { eventId: 1n })

  const tried = await client.webhooks.test(1)
  const repeated = await client.webhooks.resend(1, id)

  assert.deepEqual(
    [tried.status, repeated.status, repeated.eventId],
    [204, 204, receiver.received[1]?.headers['webhook-id']],
  )
  const ids = (await client.webhooks.deliveries(1, { limit: 2 }).toArray()).map((each) => each.id)
  assert.deepEqual(ids, [repeated.id, tried.id, id])
  const { body, headers } = receiver.received[0] as Received
  const event = await Webhooks.verify(body, headers, secret)
  assert.ok(event.type === 'petstore.webhook.test')
  const expected: WebhookTestEvent = {
    specversion: '1.0',
    id: event.id,
    source: '/v1',
    type: 'petstore.webhook.test',
    time: event.time,
  }
  assert.deepEqual(event, expected)
})

test('a limited number of tests and repetitions of a key run at once; another one is 429 and sends nothing', async (t) => {
  const { app, receiver } = await startShop(t, sqliteInMemory, () => undefined)
  const other = { ...app, ...requestsTo(app.origin, (await app.makeKey({ permission: 'admin' })).secret) }
  const running = Array.from({ length: maxRequestedDeliveries }, () => post(app, '/v1/webhooks/1/test'))
  await until(() => receiver.received.length === maxRequestedDeliveries)

  const refused = await post(app, '/v1/webhooks/1/test')

  assertError(refused, 'rate_limited')
  assert.equal(refused.headers.get('retry-after'), '10')
  running.push(post(other, '/v1/webhooks/1/test'))
  await until(() => receiver.received.length === maxRequestedDeliveries + 1)
  receiver.server.closeAllConnections()
  for (const { status } of await Promise.all(running)) assert.equal(status, 200)
  assert.equal(receiver.received.length, maxRequestedDeliveries + 1)
})

test('a service that stops does not wait for a receiver: the request is 503', async (t) => {
  const { app, receiver } = await startShop(t, sqliteInMemory, () => undefined)
  const running = post(app, '/v1/webhooks/1/test')
  await until(() => receiver.received.length === 1)

  await app.app.drain()

  assertError(await running, 'unavailable')
  assert.deepEqual((await app.storage.deliveries.list(1n, 10)).items, [])
})

for (const permission of ['read', 'write'] as const) {
  test(`a ${permission} key neither sees tries nor sends anything: 403`, async (t) => {
    const { app, receiver } = await startShop(t, sqliteInMemory)
    await app.create({ name: 'Rex', categoryId: 1 })
    const id = await addTry(app, { eventId: 1n })
    const headers = { authorization: `Bearer ${(await app.makeKey({ permission })).secret}` }

    assertError(await app.send('/v1/webhooks/1/deliveries', { headers }), 'forbidden')
    assertError(await app.send('/v1/webhooks/1/test', { method: 'POST', headers }), 'forbidden')
    assertError(await app.send(resend(id), { method: 'POST', headers }), 'forbidden')
    assert.deepEqual(receiver.received, [])
  })
}

/** A shop with the webhook 1, whose receiver is on this machine. */
async function startShop(t: TestContext, engine: Engine, respond?: Respond) {
  const receiver = await startReceiver(t, respond)
  const app = await startApp(t, { engine, webhookAddresses: { allowPrivate: true } })
  const creation = await app.storage.webhooks.create({ url: receiver.url })
  assert.ok(creation.outcome === 'created')
  return { app, receiver, secret: creation.secret }
}

function post(app: TestApp, path: string): Promise<Answer> {
  return app.send(path, { method: 'POST' })
}

async function listed(app: TestApp): Promise<unknown> {
  return (await app.send('/v1/webhooks/1/deliveries')).body
}

function newTry(facts: Partial<NewDeliveryTry>): NewDeliveryTry {
  return { webhookId: 1n, type: 'petstore.pet.created', at: Date.now(), attempt: 1, durationMs: 5, ...facts }
}

async function addTry(app: TestApp, facts: Partial<NewDeliveryTry>): Promise<number> {
  return Number(await app.storage.deliveries.addTry(newTry(facts)))
}
