import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { comparable, uncached } from '../support/gates.ts'
import { unavailable } from '../../src/inventory/errors.ts'
import { warm } from '../support/cached-responses.ts'
import { countReads } from '../support/response-cache-commits.ts'

for (const path of [
  '/v1/pets',
  '/v1/pets?limit=2',
  '/v1/pets?limit=2&sort=-id&x=y',
  '/v1/pets?status=sold',
  '/v1/pets?categoryId=-7&limit=1',
  '/v1/pets?id=2',
  '/v1/pets?status=%73old',
  '/v1/pets?without=status&limit=1',
  '/v1/pets/2',
  '/v1/store/inventory?limit=1',
]) {
  test(`a response from memory equals that of the route: ${path}`, async (t) => {
    const app = await startApp(t)
    await app.create({ name: 'Rex', categoryId: -7, status: 'sold' })
    await app.create({ name: 'ポチ 🐕', categoryId: -7 })
    await app.create({ name: 'Tom', categoryId: -7, status: 'available' })

    const usual = await sendUncached(app, path)
    const [read, readAgain, cached] = [await app.send(path), await app.send(path), await app.send(path)]

    for (const answer of [read, readAgain, cached]) assert.deepEqual(comparable(answer), comparable(usual))
    assert.equal(app.answered.length, 3 + 4)
  })
}

for (const path of ['/v1/pets/2', `/v1/pets/${2n ** 63n - 1n}`, '/v1/pets?cursor=x', '/v1/pets?cursor=']) {
  test(`an error is the same, however often it is asked for: ${path}`, async (t) => {
    const app = await startApp(t)
    await app.create({ name: 'Rex', categoryId: 1 })
    const usual = await sendUncached(app, path)

    const answers = [await app.send(path), await app.send(path), await app.send(path)]

    for (const answer of answers) assert.deepEqual(comparable(answer), comparable(usual))
    assert.equal(app.answered.length, 1 + 4)
  })
}

test('an animal that is missing is looked for once', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  await app.send('/v1/pets')
  const { find } = app.storage.pets
  const ids: bigint[] = []
  app.storage.pets.find = (id) => {
    ids.push(id)
    return find(id)
  }

  assertError(await app.send('/v1/pets/7'), 'not_found')

  assert.deepEqual(ids, [7n])
})

test('a read that fails unexpectedly is reported once and gets an internal error', async (t) => {
  const app = await startApp(t)
  await app.send('/v1/pets')
  app.storage.pets.list = () => Promise.reject(new Error('a bug'))

  assertError(await app.send('/v1/pets'), 'internal')

  assert.deepEqual(
    app.failures.map(({ message }) => message),
    ['a bug'],
  )
})

for (const path of [
  '/v1/pets/0',
  '/v1/pets/01',
  '/v1/pets/1?x',
  '/v1/pets/%31',
  '/v1/pets/',
  '/v1/petsx',
  '/v1/pets?limit=0',
  '/v1/pets?limit=1&limit=1',
  '/v1/pets?status=sold&without=status',
  '/v1/pets?status=%zz',
  `/v1/pets?x=${'x'.repeat(4096)}`,
]) {
  test(`an address that is not the usual one gets its own response: ${path.slice(0, 40)}`, async (t) => {
    const app = await startApp(t)
    await app.create({ name: 'Rex', categoryId: 1 })
    await app.send('/v1/pets')

    const usual = await sendUncached(app, path)
    const answer = await app.send(path)

    assert.deepEqual(comparable(answer), comparable(usual))
  })
}

test('a read that fails gets one error', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  await app.send('/v1/pets')
  app.storage.pets.list = () => Promise.reject(unavailable('Nothing can be read right now; try again.'))

  const answer = await app.send('/v1/pets')

  assertError(answer, 'unavailable')
  assert.equal(app.answered.filter(({ status }) => status === 503).length, 1)
})

test('an animal cannot be read from memory once the operation is gone', async (t) => {
  let now = Date.parse('2030-12-04T23:59:59Z')
  const app = await startApp(t, { clock: () => now })
  await app.create({ name: 'Rex', categoryId: 1 })
  for (let times = 0; times < 4; times++) assert.equal((await app.send('/v1/pets/1')).status, 200)

  now = Date.parse('2030-12-05T00:00:00Z')

  assertError(await app.send('/v1/pets/1'), 'gone')
})

test('behind a trusted proxy a list comes from memory with the links of its host', async (t) => {
  const app = await startApp(t, { trustProxy: true })
  for (const name of ['Rex', 'Tom']) await app.create({ name, categoryId: 1 })
  const reads = countReads(app)
  const hosts = ['shop.example', 'other.example', 'shop.example', 'other.example', 'shop.example', 'other.example']

  for (const host of hosts) {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': host }
    const { headers: received } = await app.send('/v1/pets?limit=1', { headers })
    assert.match(received.get('link') ?? '', new RegExp(`^<https://${host}/v1/pets\\?`))
  }

  assert.equal(reads(), 4)
})

test('a list comes from memory with the headers of CORS and of the rate limit', async (t) => {
  const app = await startApp(t, { corsOrigins: ['https://a.test', 'https://b.test'], rateLimit: 6 })
  const reads = countReads(app)
  const seen = []

  for (const origin of ['https://a.test', 'https://b.test', 'https://c.test', 'https://a.test']) {
    const { headers } = await app.send('/v1/pets', { headers: { origin } })
    const remaining = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
    seen.push([headers.get('access-control-allow-origin'), remaining, headers.get('vary')])
  }

  const vary = 'Origin, Prefer, Accept-Encoding'
  assert.deepEqual(seen, [
    ['https://a.test', '5', vary],
    ['https://b.test', '4', vary],
    [null, '3', vary],
    ['https://a.test', '2', vary],
  ])
  assert.equal(reads(), 2)
})

test('each response from the cache has its own request id', async (t) => {
  const app = await startApp(t)
  await warm(app, '/v1/pets')

  const ids = new Set<string | null>()
  for (let count = 0; count < 5; count++) ids.add((await app.send('/v1/pets')).headers.get('x-request-id'))
  const own = await app.send('/v1/pets', { headers: { 'x-request-id': 'mine-1' } })

  assert.equal(ids.size, 5)
  assert.equal(own.headers.get('x-request-id'), 'mine-1')
})

test('the response cache honours If-None-Match, Prefer and HEAD', async (t) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1 })
  const { headers } = await warm(app, '/v1/pets')

  const notModified = await app.send('/v1/pets', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  const counted = await app.send('/v1/pets', { headers: { prefer: 'count=exact' } })
  const head = await app.send('/v1/pets', { method: 'HEAD' })

  assert.equal(notModified.status, 304)
  assert.equal(counted.headers.get('x-total-count'), '1')
  assert.equal(head.text, '')
  assert.equal(head.headers.get('content-length'), headers.get('content-length'))
})

test('links from the response cache use the Host of the request', async (t) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1 })
  await app.create({ name: 'Tom', categoryId: 1 })
  await warm(app, '/v1/pets?limit=1')

  const answer = await app.sendRaw(
    `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: shop.example\r\nAuthorization: Bearer ${app.key}\r\nConnection: close\r\n\r\n`,
  )

  assert.match(answer, /link: <http:\/\/shop\.example\/v1\/pets\?/)
})

test('the response cache counts for rate limits', async (t) => {
  const app = await startApp(t, { rateLimit: 3 })
  await warm(app, '/v1/pets')

  const answer = await app.send('/v1/pets')

  assert.equal(answer.status, 429)
})

/** The answer of the route. */
function sendUncached({ send }: TestApp, path: string): Promise<Answer> {
  return send(path, { headers: uncached })
}
