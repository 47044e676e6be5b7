import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKeyId, newKeySecret } from '../../src/inventory/key-secret.ts'
import { type Answer, startApp, useEngine, type TestApp } from '../support/app.ts'
import { postgres, sqlite } from '../support/engines.ts'
// Engines cache, remember keys and count in ways of their own: the tests of these once more, as they are.
import './caching.test.ts'
import './idempotency.test.ts'

useEngine(postgres)

// The other files try the edge on SQLite. Here every route meets PostgreSQL with every outcome that the
// storage decides, and must answer as on SQLite, byte for byte. What never reaches the storage is not tried again.

const day = 86_400_000
const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const long = '{"name":"Señor 🐶 \\u2028","categoryId":-9223372036854775808}'

/** Events name the key and the request that made them: both apps have the same key and get the same request ids. */
const sharedKey = { id: newKeyId(), secret: newKeySecret('production') }
let requests = 0

interface Step {
  start: string
  status: number
  headers?: Record<string, string>
  body?: unknown
}

function step(start: string, status: number, headers: Record<string, string> = {}, body?: unknown): Step {
  return { start, status, headers, body }
}

const texts = { customer: 'Señora 🐶 \u2028', note: '{"a":\n1}' }
const count = { prefer: 'count=exact' }
const once = { 'idempotency-key': 'once' }

/** Each part goes on where the one before it ended. */
const parts: Record<string, Step[]> = {
  'an empty shop': [
    step('GET /v1/pets', 200, count),
    step('GET /v1/pets/1', 404),
    step('PATCH /v1/pets/1', 404, {}, { name: 'Tom' }),
    step('DELETE /v1/pets/1', 404),
    step('GET /v1/store/orders', 200),
    step('GET /v1/store/orders/1', 404),
    step('POST /v1/store/orders', 409, {}, { petId: 1 }),
    step('PATCH /v1/store/orders/1', 404, {}, { status: 'completed' }),
    step('GET /v1/categories', 200),
    step('GET /v1/categories/1', 404),
    step('DELETE /v1/categories/1', 404),
    step('GET /v1/events', 200),
    step('GET /readyz', 200),
  ],
  'animals that are added': [
    step('POST /v1/pets', 201, {}, rex),
    step('POST /v1/pets', 201, {}, long),
    step('POST /v1/pets', 201, once, rex),
    step('POST /v1/pets', 201, once, rex),
    step('POST /v1/pets', 422, once, { ...rex, name: 'Tom' }),
    step('POST /v1/pets', 400, {}, { ...rex, name: '' }),
    ...['pending', 'sold', 'available'].map((status) => step('POST /v1/pets', 201, {}, { ...rex, status })),
  ],
  'animals that are read': [
    step('GET /v1/pets', 200),
    step('GET /v1/pets', 304, { 'if-none-match': '*' }),
    step('HEAD /v1/pets', 200),
    step('GET /v1/pets/2', 200),
    step('GET /v1/pets/2', 304, { 'if-none-match': '*' }),
    step('GET /v1/pets?id=2', 200, count),
    step('GET /v1/pets?id=77', 200, count),
    step('GET /v1/pets?status=available&limit=2', 200, count),
    step('GET /v1/pets?categoryId=1&limit=4', 200, count),
    step('GET /v1/pets?categoryId=1&status=available&limit=1', 200, count),
    step('GET /v1/pets?categoryId=-9223372036854775808', 200),
    step('GET /v1/pets?name=senor', 200),
    step('GET /v1/pets?name=RE&status=available&limit=1', 200),
    step('GET /v1/pets?sort=-id&limit=2', 200),
    step('GET /v1/pets?sort=name', 200),
    step('GET /v1/pets?sort=-name&limit=2', 200),
    step('GET /v1/store/inventory', 200),
    step('GET /v1/store/inventory?limit=1', 200),
  ],
  'animals that are changed': [
    step('PATCH /v1/pets/2', 200, {}, { name: 'Tom', status: 'pending' }),
    step('PATCH /v1/pets/2', 200, {}, { name: 'Tom' }),
    step('PATCH /v1/pets/2', 200, { 'if-match': '*' }, '{"status":null,"categoryId":9223372036854775807}'),
    step('PATCH /v1/pets/2', 412, { 'if-match': '"another"' }, { name: 'Rex' }),
    step('GET /v1/pets', 200, count),
    step('GET /v1/pets?status=pending', 200, count),
  ],
  orders: [
    step('POST /v1/store/orders', 201, {}, { petId: 1 }),
    step('POST /v1/store/orders', 409, {}, { petId: 1 }),
    step('POST /v1/store/orders', 409, {}, { petId: 2 }),
    step('POST /v1/store/orders', 201, { 'idempotency-key': 'order' }, { petId: 3 }),
    step('POST /v1/store/orders', 201, { 'idempotency-key': 'order' }, { petId: 3 }),
    step('POST /v1/store/orders', 422, { 'idempotency-key': 'order' }, { petId: 6 }),
    step('PATCH /v1/pets/1', 409, {}, { status: 'sold' }),
    step('PATCH /v1/pets/1', 200, {}, { name: 'Rexi' }),
    step('DELETE /v1/pets/1', 409),
    step('GET /v1/store/orders?limit=1', 200),
    step('GET /v1/store/orders/1', 200),
    step('PATCH /v1/store/orders/1', 200, {}, { status: 'completed' }),
    step('PATCH /v1/store/orders/1', 409, {}, { status: 'cancelled' }),
    step('PATCH /v1/store/orders/2', 200, {}, { status: 'cancelled' }),
    step('GET /v1/store/orders?status=completed', 200),
    step('GET /v1/store/orders?petId=3', 200),
    step('GET /v1/store/orders', 304, { 'if-none-match': '*' }),
    step('GET /v1/pets', 200, count),
  ],
  'texts of orders': [
    step('POST /v1/store/orders', 201, { 'idempotency-key': 'texts' }, { petId: 3, ...texts }),
    step('POST /v1/store/orders', 201, { 'idempotency-key': 'texts' }, { petId: 3, ...texts }),
    step('POST /v1/store/orders', 422, { 'idempotency-key': 'texts' }, { petId: 3, ...texts, note: 'Sunday' }),
    step('PATCH /v1/store/orders/3', 200, {}, { note: 'Sunday' }),
    step('PATCH /v1/store/orders/3', 412, { 'if-match': '"another"' }, { note: 'Monday' }),
    step('GET /v1/store/orders/3', 200),
    step('PATCH /v1/store/orders/3', 200, {}, { status: 'cancelled', customer: null }),
    step('PATCH /v1/store/orders/3', 409, {}, { status: 'completed', note: 'Monday' }),
    step('PATCH /v1/store/orders/3', 200, { 'if-match': '*' }, { note: 'Monday' }),
    step('PATCH /v1/store/orders/1', 200, {}, {}),
    step('GET /v1/store/orders', 200),
  ],
  'animals that are removed': [
    step('DELETE /v1/pets/6', 412, { 'if-match': '"another"' }),
    step('DELETE /v1/pets/6', 204, { 'if-match': '*' }),
    step('DELETE /v1/pets/6', 404),
    step('DELETE /v1/pets/1', 204),
    step('GET /v1/pets', 200, count),
    step('POST /v1/pets', 201, {}, rex),
  ],
  categories: [
    step('PUT /v1/categories/-1', 201, {}, { name: 'Dogs' }),
    step('PUT /v1/categories/-1', 200, {}, { name: 'Hounds' }),
    step('PUT /v1/categories/-1', 412, { 'if-none-match': '*' }, { name: 'Cats' }),
    step('PUT /v1/categories/9223372036854775807', 201, { 'if-none-match': '*' }, { name: 'Cats' }),
    step('GET /v1/categories/-1', 200),
    step('GET /v1/categories', 200),
    step('GET /v1/categories?limit=1', 200),
    step('GET /v1/categories', 304, { 'if-none-match': '*' }),
    step('POST /v1/categories', 201, {}, { name: 'Señor 🐶 \u2028' }),
    step('POST /v1/categories', 201, { 'idempotency-key': 'category' }, { name: 'Fish' }),
    step('POST /v1/categories', 201, { 'idempotency-key': 'category' }, { name: 'Fish' }),
    step('POST /v1/categories', 422, { 'idempotency-key': 'category' }, { name: 'Birds' }),
    step('DELETE /v1/categories/3', 412, { 'if-match': '"another"' }),
    step('DELETE /v1/categories/3', 204, { 'if-match': '*' }),
    step('DELETE /v1/categories/3', 404),
    step('DELETE /v1/categories/9223372036854775807', 409),
    step('PUT /v1/categories/9007199254740990', 201, {}, { name: 'Last' }),
    step('POST /v1/categories', 409, {}, { name: 'Birds' }),
    step('GET /v1/categories', 200),
  ],
  events: [
    step('GET /v1/events?limit=100', 200),
    step('GET /v1/events?limit=3', 200),
    step('GET /v1/events?after=4', 200),
    step('GET /v1/events?after=1000', 410),
    step('GET /v1/events?sort=-id&limit=3', 200),
    step('GET /v1/events?petId=3', 200),
    step('GET /v1/events?orderId=1&sort=-id&limit=1', 200),
    step('GET /v1/events', 304, { 'if-none-match': '*' }),
  ],
}

test('postgres: every route returns the same as on SQLite, for every outcome of the storage', async (t) => {
  const apps = await startBoth(t)

  for (const [name, steps] of Object.entries(parts)) {
    await t.test(name, async () => {
      for (const each of steps) await sameAnswer(apps, each)
    })
  }
  await t.test('pages that follow each other', async () => {
    for (const path of [
      '/v1/pets?limit=2',
      '/v1/pets?name=rex&sort=-name&limit=1',
      '/v1/store/orders?limit=1',
      '/v1/categories?limit=1',
      '/v1/events?limit=4',
    ]) {
      const [first, second] = await Promise.all(apps.map((app) => allPages(app, path)))
      assert.ok((second?.length ?? 0) > 1, path)
      const comparable = [first, second].map((pages) => JSON.stringify(pages).replace(/("id":"\d+)-\w{8}"/g, '$1-…"'))
      assert.equal(comparable[0], comparable[1])
    }
  })
  await t.test('an Idempotency-Key that is a day old', async () => {
    apps.wait(day)
    await sameAnswer(apps, step('POST /v1/pets', 201, once, { ...rex, name: 'Tom' }))
  })
})

test('postgres: keys are checked as on SQLite', async (t) => {
  const apps = await startBoth(t)
  const secrets = { reader: '', expired: '', revoked: '' }
  const asked = (secret: string) => ({ authorization: `Bearer ${secret}` })
  for (const { makeKey, storage } of apps) {
    const reader = await makeKey({ permission: 'read', ...(secrets.reader && { secret: secrets.reader }) })
    const expired = await makeKey({ expiresAt: 1, ...(secrets.expired && { secret: secrets.expired }) })
    const revoked = await makeKey(secrets.revoked ? { secret: secrets.revoked } : {})
    await storage.keys.revoke(revoked.id, 1)
    Object.assign(secrets, { reader: reader.secret, expired: expired.secret, revoked: revoked.secret })
  }

  await sameAnswer(apps, step('GET /v1/pets', 200, asked(secrets.reader)))
  await sameAnswer(apps, step('POST /v1/pets', 403, asked(secrets.reader), rex))
  await sameAnswer(apps, step('GET /v1/pets', 401, asked(secrets.expired)))
  await sameAnswer(apps, step('GET /v1/pets', 401, asked(secrets.revoked)))
  await sameAnswer(apps, step('GET /v1/pets', 401, asked('unknown')))
})

test('postgres: with a closed storage, operations are unavailable, as on SQLite', async (t) => {
  const apps = await startBoth(t)
  for (const { storage } of apps) await storage.close()

  for (const start of ['GET /v1/pets', 'GET /v1/pets/1', 'DELETE /v1/pets/1', 'GET /v1/events', 'GET /readyz'])
    await sameAnswer(apps, step(start, 503))
  await sameAnswer(apps, step('POST /v1/pets', 503, {}, rex))
  await sameAnswer(apps, step('GET /livez', 200))
  await sameAnswer(apps, step('GET /openapi.json', 200))
})

async function startBoth(t: Parameters<typeof startApp>[0]) {
  let now = Date.UTC(2027, 0, 1)
  // The same base address: links do not depend on the port.
  const options = { clock: () => now, baseUrls: { production: 'https://petstore.example/v1' } }
  const started: TestApp[] = []
  for (const engine of [sqlite, postgres]) {
    const app = await startApp(t, { engine, ...options })
    await app.makeKey(sharedKey)
    started.push(app)
  }
  return Object.assign(started, { wait: (ms: number) => void (now += ms) })
}

async function sameAnswer(apps: readonly TestApp[], { start, status, headers: more, body }: Step): Promise<void> {
  const [method = '', path = ''] = start.split(' ')
  const headers = { authorization: `Bearer ${sharedKey.secret}`, 'x-request-id': `request-${++requests}`, ...more }
  const answers = await Promise.all(
    apps.map((app) => (body === undefined ? app.send(path, { method, headers }) : app.sendJson(start, body, headers))),
  )
  const [onSqlite, onPostgres] = answers.map(comparable)
  assert.equal(onPostgres?.status, status, `${start}: ${onPostgres?.text}`)
  assert.deepEqual(onPostgres, onSqlite, start)
}

/** All but what is new each time: positions and ids of events name the lineage of their database. */
function comparable({ status, headers, text }: Answer) {
  const kept = [...headers].filter(([name]) => name !== 'date')
  const isOfEvents = text.includes('"sequence":"') || headers.has('event-position')
  return {
    status,
    headers: kept.map(([name, value]) => [name, isOfEvents && sizes.has(name) ? '…' : withoutLineage(name, value)]),
    text: text.replace(/("id":"\d+)-\w{8}"/g, '$1-…"'),
  }
}

/** Of a list of events they depend on its ids, the length only if it is compressed. */
const sizes = new Set(['etag', 'content-length'])

function withoutLineage(name: string, value: string): string {
  if (name === 'event-position') return value.replace(/-\w{8}$/, '-…')
  return value.replace(/(after=\d+)-\w{8}/g, '$1-…')
}

async function allPages({ send }: TestApp, path: string): Promise<unknown[]> {
  const pages: unknown[] = []
  let next: string | undefined = path
  while (next !== undefined) {
    const { body, headers }: Answer = await send(next)
    pages.push(body)
    next = /<https:\/\/petstore\.example([^<>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    if ((body as unknown[]).length === 0) break
  }
  return pages
}
