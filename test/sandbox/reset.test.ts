import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { followEvents } from '../support/event-stream.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/error.ts'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const idsOf = (list: { body: unknown }) => (list.body as { id: number }[]).map(({ id }) => id)

test('a reset begins again with the seed of the sandbox: ids, keys and idempotency keys too', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  const idempotent = { 'idempotency-key': 'again' }
  const first = await send('a', 'POST /pets', rex, idempotent)
  const { key } = (await send('a', 'POST /keys', { name: 'till' })).body as { key: string }
  await send('a', 'DELETE /pets/1')

  const reset = await send('a', 'POST /sandbox/reset')
  const second = await send('a', 'POST /pets', rex, idempotent)

  assert.deepEqual([reset.status, reset.text, reset.headers.get('petstore-sandbox')], [204, '', 'a'])
  assert.deepEqual([second.status, second.headers.get('idempotent-replayed'), second.body], [201, null, first.body])
  assert.equal((await send('a', '/pets?id=1')).text, '[{"id":1,"name":"Rex","categoryId":1,"status":"available"}]')
  assert.equal((await send(key, '/pets')).status, 401)
})

test('a reset chooses a seed by name, or sends one', async (t) => {
  const { send } = await startSandbox(t, { seed: { file: Buffer.from('{"id":5,"name":"Tom","categoryId":2}\n') } })
  const resetTo = async (body: unknown) => {
    const { status } = await send('a', 'POST /sandbox/reset', body)
    return [status, idsOf(await send('a', '/pets?limit=3'))]
  }

  assert.deepEqual(await resetTo({ seed: 'demo' }), [204, [1, 2, 3]])
  assert.deepEqual(await resetTo({ seed: 'empty' }), [204, []])
  assert.deepEqual(await resetTo({}), [204, [5]])
  assert.deepEqual(await resetTo('{"id":70,"name":"A","categoryId":1}\n{"id":8,"name":"B","categoryId":1}'), [
    204,
    [8, 70],
  ])
  assert.equal(((await send('a', 'POST /pets', rex)).body as { id: number }).id, 71)
})

test('an invalid seed is 400, names its line, and changes nothing', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'POST /pets', rex)

  for (const [body, message] of [
    ['{"id":1,"name":"A","categoryId":1}\n{"id":2,"name":"B"}\n', /Line 2: categoryId is missing/],
    [{ seed: 'zoo' }, /seed must be one of empty, demo/],
    [['demo'], /must be a JSON object/],
  ] as const) {
    const { status, text } = await send('a', 'POST /sandbox/reset', body)
    assert.equal(status, 400)
    assert.match(text, message)
  }
  assert.equal((await send('a', 'POST /sandbox/reset', {}, { 'content-type': 'text/csv' })).status, 415)
  assert.deepEqual(idsOf(await send('a', '/pets')), [1])
})

test('event positions from before a reset are 410, and streams end with a reason', async (t) => {
  const { origin, send } = await startSandbox(t)
  await send('a', 'POST /pets', rex)
  const position = (await send('a', '/events')).headers.get('event-position')
  const stream = await followEvents(t, { origin, key: 'sandbox_a' })
  const other = await followEvents(t, { origin, key: 'sandbox_b' })

  await send('a', 'POST /sandbox/reset')
  assert.equal(await stream.ended, true)
  await send('a', 'POST /pets', rex)
  await send('b', 'POST /pets', rex)
  await other.until(() => other.events.length === 1)

  assert.match(stream.text(), /: the shop was reset\n\n$/)
  assert.equal((await send('a', `/events?after=${position}`)).status, 410)
})

test('a snapshot brings back everything: ids, counters, orders, categories, events and keys', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  await send('a', 'POST /pets', { ...rex, name: 'Line\nbreak "quoted" 🐇', categoryId: -7 })
  await send('a', 'POST /pets', rex)
  await send('a', 'DELETE /pets/12')
  await send('a', 'POST /store/orders', { petId: 1, customer: 'Ada' })
  await send('a', 'PATCH /store/orders/4', { status: 'cancelled' })
  await send('a', 'PUT /categories/9', { name: 'Snakes' })
  const made = await send('a', 'POST /keys', { name: 'till', permission: 'read' })
  const { id, key } = made.body as { id: string; key: string }
  await send('a', `POST /keys/${id}/rotate`, {})
  const all = async () => {
    const paths = ['/pets?limit=100', '/store/orders', '/categories', '/events?limit=100', '/store/inventory', '/keys']
    return Promise.all(paths.map(async (path) => (await send('a', path)).text))
  }
  const before = await all()
  assert.match(before.at(-1) ?? '', /"replacedBy":"key_/)
  const snapshot = await send('a', '/sandbox/snapshot')
  await send('a', 'POST /sandbox/reset', { seed: 'empty' })
  assert.equal((await send(key, '/pets')).status, 401)

  const restored = await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.deepEqual([snapshot.status, snapshot.headers.get('content-type')], [200, 'application/x-ndjson'])
  assert.deepEqual([restored.status, restored.text], [204, ''])
  assert.deepEqual(await all(), before)
  assert.equal((await send('a', '/sandbox/snapshot')).text, snapshot.text)
  assert.equal((await send(key, '/pets')).status, 200)
  assert.equal(((await send('a', 'POST /pets', rex)).body as { id: number }).id, 13, 'a deleted id is not used again')
  const { body } = await send('a', '/events?sort=-id&limit=1')
  assert.equal((body as { id: string }[])[0]?.id, '8')
})

test('a snapshot has no webhook, because a webhook has a secret', async (t) => {
  const { send } = await startSandbox(t, { seed: 'empty' })
  const created = await send('a', 'POST /webhooks', { url: 'http://127.0.0.1:1/hook' })
  const { secret } = created.body as { secret: string }

  const snapshot = await send('a', '/sandbox/snapshot')
  await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.deepEqual([created.status, snapshot.status], [201, 200])
  assert.equal(snapshot.text.includes(secret), false)
  assert.doesNotMatch(snapshot.text, /webhook|whsec_|hook/)
  assert.equal((await send('a', '/webhooks')).text, '[]')
})

test('a snapshot brings back ids above 2^53, also those that follow the highest one of a seed', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'POST /sandbox/reset', '{"id":9000000000000000000,"name":"Rex","categoryId":1}')
  await send('a', 'POST /pets', rex)
  const snapshot = await send('a', '/sandbox/snapshot')

  const restored = await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.equal(restored.status, 204, restored.text)
  assert.equal((await send('a', '/sandbox/snapshot')).text, snapshot.text)
})

test('a snapshot opens in another shop as well', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  const { key } = (await send('a', 'POST /keys', { name: 'till' })).body as { key: string }

  await send('b', 'PUT /sandbox/snapshot', (await send('a', '/sandbox/snapshot')).text)

  assert.equal((await send('b', '/pets?limit=1')).status, 200)
  assert.equal((await send(key, '/pets')).headers.get('petstore-sandbox'), 'a', 'the key stays with its first shop')
})

const shopLine = '{"type":"shop","version":1,"counters":{"pets":3,"orders":0,"events":1}}'
const event = (id: number, data: string, more = '') =>
  `{"type":"event","id":${id},"subject":1,"event":"pet.created","at":"2026-01-01T00:00:00Z","data":${JSON.stringify(data)}${more}}`
const rexData = '{"id":1,"name":"Rex","categoryId":1}'

test('a broken snapshot is 400, names its line, and changes nothing', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'POST /pets', rex)

  for (const [lines, message] of [
    [[], /Line 1: A snapshot begins with/],
    [['{"id":1,"name":"A","categoryId":1}'], /Line 1: A snapshot begins with/],
    [['{"type":"shop","version":2}'], /Line 1: A snapshot begins with/],
    [['{"type":"shop","version":1}'], /Line 1: pets is missing/],
    [[shopLine, shopLine], /Line 2: A snapshot begins with .* once/],
    [[shopLine, '{"id":4,"name":"A","categoryId":1}'], /Line 1: counters.pets must be the highest id/],
    [[shopLine, event(2, rexData)], /Line 1: counters.events/],
    [[shopLine, event(1, rexData), event(3, rexData)], /Line 3: Events have no gaps/],
    [[shopLine, event(1, '{"id":1}')], /Line 2: data must be/],
    [[shopLine, event(1, `${rexData}\n\nid: 9`)], /Line 2: data must be/],
    [[shopLine, event(1, rexData, ',"author":"{\\n}"')], /Line 2: author must be/],
    [[shopLine, '{"type":"key","id":"key_a","name":"a","permission":"root"}'], /Line 2: permission must be one of/],
  ] as const) {
    const { status, text } = await send('a', 'PUT /sandbox/snapshot', lines.join('\n'))
    assert.equal(status, 400, text)
    assert.match(text, message)
  }
  assert.equal((await send('a', 'PUT /sandbox/snapshot', [shopLine, event(1, rexData)].join('\n'))).status, 204)
})

test('a snapshot of 10,000 animals goes out and in', async (t) => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `{"id":${index + 1},"name":"Rex","categoryId":${index}}\n`)
  const { send } = await startSandbox(t, { seed: { file: Buffer.from(lines.join('')) } })

  const snapshot = await send('a', '/sandbox/snapshot')
  const restored = await send('b', 'PUT /sandbox/snapshot', snapshot.text)
  const over = await send('b', 'PUT /sandbox/snapshot', `${snapshot.text}{"id":10001,"name":"Tom","categoryId":1}\n`)

  assert.equal(restored.status, 204)
  assert.match(over.text, /"conflict".*at most 10,000 animals/)
  assert.equal((await send('b', '/pets?id=10000')).text, '[{"id":10000,"name":"Rex","categoryId":9999}]')
})

test('the seeds and snapshots of one shop cannot take all places', async (t) => {
  const { send, origin } = await startSandbox(t)
  const headers = { authorization: 'Bearer sandbox_a', 'content-type': 'application/x-ndjson' }
  for (let count = 0; count < 20; count++) {
    const upload = request(`${origin}/v1/sandbox/snapshot`, { method: 'PUT', headers, agent: false })
    t.after(() => upload.destroy())
    upload.on('error', () => undefined).write(' ')
  }
  await until(async () => (await send('a', '/sandbox/snapshot')).status === 503)

  assertError(await send('a', '/sandbox/snapshot'), 'unavailable')
  assert.equal((await send('b', '/sandbox/snapshot')).status, 200)
})

test('only an admin key may reset and save a shop', async (t) => {
  const { send } = await startSandbox(t)
  const { key } = (await send('a', 'POST /keys', { name: 'till', permission: 'write' })).body as { key: string }

  const statuses = ['POST /sandbox/reset', '/sandbox/snapshot', 'PUT /sandbox/snapshot'].map(
    async (start) => (await send(key, start)).status,
  )

  assert.deepEqual(await Promise.all(statuses), [403, 403, 403])
})

test('the operations of the sandbox are in its document, and not in that of the service, which has none of them', async (t) => {
  const sandbox = await startSandbox(t)
  const service = await startApp(t)
  const pathsOf = async (origin: string) => {
    const document = (await (await fetch(`${origin}/openapi.json`)).json()) as { paths: Record<string, object> }
    return Object.keys(document.paths)
  }

  const own = (await pathsOf(sandbox.origin)).filter((path) => path.startsWith('/sandbox/'))
  assert.ok(own.includes('/sandbox/reset') && own.includes('/sandbox/snapshot'))
  assert.ok((await pathsOf(service.origin)).every((path) => !path.startsWith('/sandbox')))
  for (const path of own) {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      assert.equal((await service.send(`/v1${path}`, { method })).status, 404, `${method} ${path}`)
    }
  }
})

test('a shop with a seeded order whose id exceeds a number is written and read as any other', async (t) => {
  const { send } = await startSandbox(t)
  for (const id of [2n ** 53n - 1n, 2n ** 53n + 1n]) {
    const pet = '{"id":1,"name":"A","categoryId":1,"status":"available"}'
    const order = `{"type":"order","id":${id},"petId":9,"status":"completed","placedAt":"2026-01-05T09:00:00Z"}`
    assert.equal((await send('a', 'POST /sandbox/reset', `${pet}\n${order}`)).status, 204)

    const placed = await send('a', 'POST /store/orders', { petId: 1 })
    const cancelled = await send('a', `PATCH /store/orders/${id + 1n}`, { status: 'cancelled' })
    const created = await send('a', 'POST /pets', rex)
    const removed = await send('a', 'DELETE /pets/1')

    const statuses = [placed, cancelled, created, removed].map(({ status }) => status)
    assert.deepEqual(statuses, [201, 200, 201, 204], placed.text)
    assert.match((await send('a', '/store/orders')).text, new RegExp(`"id":${id},.*"id":${id + 1n},`))
  }
})
