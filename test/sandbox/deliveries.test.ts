import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'
import { assertError } from '../support/error.ts'
import { startReceiver, verify } from '../support/webhook-receiver.ts'

test('a shop of the sandbox delivers events to this machine, and its journal has them', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t)
  const made = await send('a', 'POST /webhooks', { url: `${receiver.url}/hook` })
  const { secret } = made.body as { secret: string }
  // The clock of the shop drives neither deliveries nor their signatures.
  await send('a', 'PUT /sandbox/clock', { now: '2030-01-01T00:00:00Z', frozen: true })

  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })
  await send('b', 'POST /pets', { name: 'Tom', categoryId: 1 })
  await until(() => receiver.received.length === 1)

  const [event] = receiver.received
  assert.ok(event !== undefined)
  verify(event, secret)
  const list = async () =>
    (await send('a', '/sandbox/requests?operation=deliverEvents')).body as Record<string, unknown>[]
  await until(async () => (await list()).length === 1)
  const [entry] = await list()
  assert.deepEqual(
    [entry?.['method'], entry?.['path'], entry?.['status'], entry?.['body']],
    ['POST', `${receiver.url}/hook`, 204, event.body],
  )

  await send('a', 'POST /sandbox/reset', { seed: 'empty' })
  await send('a', 'POST /pets', { name: 'Max', categoryId: 1 })
  assert.deepEqual((await send('a', '/webhooks')).body, [])
  assert.equal(receiver.received.length, 1)
})

test('tests and repetitions are in the journal of their shop, as other deliveries are', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t)
  await send('a', 'POST /webhooks', { url: receiver.url, format: 'cloudevents' })
  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })
  const triesOf = async () => (await send('a', '/webhooks/1/deliveries')).body as { id: number }[]
  await until(async () => (await triesOf()).length === 1)

  await send('a', `POST /webhooks/1/deliveries/${(await triesOf())[0]?.id}/resend`)
  await send('a', 'POST /webhooks/1/test')

  const entries = (await send('a', '/sandbox/requests?operation=deliverEvents')).body as Record<string, unknown>[]
  const shown = entries.map(({ path, status, body, headers }) => [path, status, body, headers])
  const expected = receiver.received.map(({ headers, body }) => [
    receiver.url,
    204,
    body,
    { 'content-type': 'application/cloudevents+json', 'webhook-id': headers['webhook-id'] },
  ])
  assert.deepEqual(shown, expected)
  assert.deepEqual(
    receiver.received.map(({ type }) => type),
    ['petstore.pet.created', 'petstore.pet.created', 'petstore.webhook.test'],
  )
})

test('a try that a reset finds running is not in the new journal', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t, () => undefined)
  await send('a', 'POST /webhooks', { url: receiver.url })
  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })
  await until(() => receiver.received.length === 1)

  await send('a', 'POST /sandbox/reset', {})
  receiver.server.closeAllConnections()

  // The try ends while these are answered.
  for (let count = 0; count < 5; count++) assert.deepEqual((await send('a', '/sandbox/requests')).body, [])
})

test('a shop has at most 20 deliveries at once, and the others follow', async (t) => {
  const { send } = await startSandbox(t)
  let status: number | undefined
  const receiver = await startReceiver(t, () => status)
  let open = 0
  let mostOpen = 0
  receiver.server.on('connection', (socket) => {
    mostOpen = Math.max(mostOpen, ++open)
    socket.on('close', () => open--)
  })
  for (let id = 1; id <= 30; id++) await send('a', 'POST /webhooks', { url: `${receiver.url}/${id}` })
  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })
  await until(() => mostOpen >= 20)

  status = 204
  receiver.server.closeAllConnections()

  await until(() => new Set(receiver.received.map(({ path }) => path)).size === 30)
  assert.equal(mostOpen, 20)
})

test('tests and repetitions of all shops together are limited, whatever each shop may have', async (t) => {
  const { send } = await startSandbox(t, { maxDeliveries: 2 })
  let status: number | undefined
  const receiver = await startReceiver(t, () => status)
  for (const shop of ['a', 'b', 'c']) await send(shop, 'POST /webhooks', { url: receiver.url })
  const running = [send('a', 'POST /webhooks/1/test'), send('b', 'POST /webhooks/1/test')]
  await until(() => receiver.received.length === 2)

  const refused = await send('c', 'POST /webhooks/1/test')

  assertError(refused, 'rate_limited')
  assert.match(refused.text, /Too many tests or repetitions of webhooks of all shops are running/)
  receiver.server.closeAllConnections()
  for (const answer of await Promise.all(running)) assert.equal(answer.status, 200)
  status = 204
  assert.equal((await send('c', 'POST /webhooks/1/test')).status, 200)
})

test('the clock of a shop drives no retries of deliveries', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t, () => 500)
  await send('a', 'POST /webhooks', { url: receiver.url })
  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })
  const tries = async () =>
    (await send('a', '/webhooks/1/deliveries')).body as { time: string; nextAttemptAt: string }[]
  await until(async () => (await tries()).length === 1)

  await send('a', 'PUT /sandbox/clock', { advance: 'P1D' })
  await send('a', 'POST /pets', { name: 'Tom', categoryId: 1 })

  // On a busy machine the time of the second try may have come.
  const [first, second] = (await tries()).toReversed()
  assert.ok(first !== undefined && (second === undefined || second.time >= first.nextAttemptAt))
  assert.ok(Date.parse(first.nextAttemptAt) - Date.parse(first.time) < 10_000)
  assert.match((await send('a', '/webhooks/1')).text, /"enabled":true/)
})

test('no secret of a webhook is in a snapshot, in the journal, or in what else a sandbox tells of a shop', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t)
  const made = (await send('a', 'POST /webhooks', { url: receiver.url })).body as { secret: string }
  const rotated = (await send('a', 'POST /webhooks/1/rotate')).body as { secret: string }
  await send('a', 'POST /webhooks/1/test')
  // In the place of something else.
  await send('a', `/webhooks/${rotated.secret}`)
  await send('a', 'POST /webhooks', { url: made.secret }, { 'x-secret': made.secret })

  const texts = []
  for (const path of ['/sandbox/snapshot', '/sandbox/requests', '/sandbox/faults', '/sandbox/clock', '/webhooks']) {
    const { status, text } = await send('a', path)
    assert.equal(status, 200, path)
    texts.push(text)
  }

  assert.match(texts[1] ?? '', /rotateWebhook/)
  for (const { secret } of [made, rotated]) {
    for (const text of texts) assert.equal(text.includes(secret.slice('whsec_'.length, -4)), false, text)
  }
})

test('a webhook that fails says since when, in the time of its shop, also if that is ahead', async (t) => {
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t, () => 500)
  const now = '2030-01-01T00:00:00.000Z'
  await send('a', 'PUT /sandbox/clock', { now, frozen: true })
  await send('a', 'POST /webhooks', { url: receiver.url })

  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 })

  const shown = async () => ((await send('a', '/webhooks')).body as { failingSince?: string }[])[0]?.failingSince
  await until(async () => (await shown()) !== undefined)
  assert.equal(await shown(), now)
})

test('a page whose name could be made to lead here cannot make a webhook, so it reads nothing of this machine', async (t) => {
  const { origin, send } = await startSandbox(t)
  const { port } = new URL(origin)
  const url = 'http://127.0.0.1:9/'
  const made = await send('a', 'POST /webhooks', { url })
  const { id } = made.body as { id: number }

  for (const page of [`http://rebound.example:${port}`, 'http://127.0.0.1.rebound.example', 'null']) {
    for (const start of ['POST /webhooks', `PATCH /webhooks/${id}`, `POST /webhooks/${id}/test`]) {
      const refused = await send('a', start, { url }, { origin: page })
      assertError(refused, 'forbidden')
    }
    assert.equal((await send('a', '/webhooks', undefined, { origin: page })).status, 200)
  }
  for (const page of [origin, `http://localhost:${port}`, `http://[::1]:${port}`, 'http://192.168.1.2:8080']) {
    assert.equal((await send('a', `PATCH /webhooks/${id}`, { url }, { origin: page })).status, 200, page)
  }
})
