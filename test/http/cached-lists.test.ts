import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, readAnswers, startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { etagOf } from '../support/caching-requests.ts'

/** More often than any answer is made anew. */
const often = 5

test('a new animal is in the next response', async (t) => {
  const { send, create } = await startApp(t, { engine: sqlite })

  for (let count = 1; count <= 10; count++) {
    const created = await create({ name: `animal ${count}`, categoryId: 1 })
    const listed = await send('/v1/pets?limit=100', { headers: { prefer: 'count=exact' } })
    assert.equal((listed.body as unknown[]).length, count)
    assert.deepEqual((listed.body as unknown[]).at(-1), created.body)
    assert.equal(listed.headers.get('x-total-count'), String(count))
  }
})

test('a write by another process is in the next response', async (t) => {
  const { send, other } = await startTwice(t)
  const list = '/v1/pets?limit=100'
  let etag = etagOf(await send(list))

  for (let count = 1; count <= 10; count++) {
    assertError(await send(`/v1/pets/${count}`), 'not_found')
    await other.pets.create({ name: `animal ${count}`, categoryId: 1n, status: 'sold' })

    const listed = await send(list, { headers: { 'if-none-match': etag } })
    assert.equal(listed.status, 200)
    assert.equal((listed.body as unknown[]).length, count)
    etag = etagOf(listed)

    const filtered = await send(`${list}&status=sold`, { headers: { prefer: 'count=exact' } })
    assert.equal((filtered.body as unknown[]).length, count)
    assert.equal(filtered.headers.get('x-total-count'), String(count))
    assert.equal((await send(`/v1/pets/${count}`)).status, 200)
  }
})

test('a key revoked by another process is refused at the next request', async (t) => {
  const { send, other, makeKey } = await startTwice(t)
  const { id, secret } = await makeKey()
  const headers = { authorization: `Bearer ${secret}` }
  for (let count = 0; count < often; count++) assert.equal((await send('/v1/pets', { headers })).status, 200)

  await other.keys.revoke(id, 1)

  assertError(await send('/v1/pets', { headers }), 'unauthorized')
})

test('responses never show older data while others write', async (t) => {
  const { send, other } = await startTwice(t)
  let written = 0
  const writing = (async () => {
    for (; written < 20; written++) await other.pets.create({ name: 'Rex', categoryId: 1n })
  })()

  let seen = 0
  while (seen < 20) {
    const atLeast = Math.max(seen, written)
    seen = ((await send('/v1/pets?limit=100')).body as unknown[]).length
    assert.ok(seen >= atLeast, `saw ${seen} animals after ${atLeast}`)
  }
  await writing
})

test('repeated requests get the same response with the same headers', async (t) => {
  const { send, create } = await startApp(t)
  for (const name of ['Rex', '🐶 שלום', 'Tom']) await create({ name, categoryId: 1, status: 'sold' })
  const questions: [string, Record<string, string>?][] = [
    ['/v1/pets'],
    ['/v1/pets?limit=2&status=sold'],
    ['/v1/pets?status=pending'],
    ['/v1/pets?id=2'],
    ['/v1/pets?limit=1', { prefer: 'count=exact' }],
    ['/v1/pets/2'],
    ['/v1/pets?limit=0'],
    ['/v1/pets/4'],
  ]

  for (const [path, headers = {}] of questions) {
    await t.test(`${path} ${JSON.stringify(headers)}`, async () => {
      const first = await send(path, { headers })
      for (let count = 1; count < often; count++) {
        const again = await send(path, { headers })
        assert.equal(again.status, first.status)
        assert.equal(again.text, first.text)
        assert.deepEqual(lastingHeaders(again), lastingHeaders(first))
      }
    })
  }
})

test('a cached list still requires a valid key', async (t) => {
  let now = Date.UTC(2027, 0, 1)
  const { send, sendRaw, makeKey, key, origin } = await startApp(t, { clock: () => now })
  const { secret } = await makeKey({ expiresAt: now + 1000 })
  const expiring = { authorization: `Bearer ${secret}` }
  const raw = async (...lines: string[]) => {
    const head = ['GET /v1/pets HTTP/1.1', `Host: ${origin.slice('http://'.length)}`, 'Connection: close', ...lines]
    return readAnswers(await sendRaw(`${head.join('\r\n')}\r\n\r\n`))[0] as Answer
  }
  for (let count = 0; count < often; count++) {
    await send('/v1/pets')
    assert.equal((await send('/v1/pets', { headers: expiring })).status, 200)
  }

  now += 1000

  assertError(await send('/v1/pets', { headers: expiring }), 'unauthorized')
  assertError(await send('/v1/pets', { headers: { authorization: `Bearer ${key}x` } }), 'unauthorized')
  assertError(await send('/v1/pets', { headers: { authorization: `Basic ${key}` } }), 'unauthorized')
  assertError(await raw(), 'unauthorized')
  assertError(await raw(`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`), 'unauthorized')
  assert.equal((await raw(`Authorization: Bearer ${key}`)).status, 200)
})

test('a cached list still respects the headers of the request', async (t) => {
  const { send, sendRaw, storage, key, origin } = await startApp(t, { trustProxy: true })
  for (const name of ['Rex', 'Tom']) await storage.pets.create({ name, categoryId: 1n })
  const path = '/v1/pets?limit=1'
  const etag = etagOf(await send(path))
  for (let count = 0; count < often; count++) await send(path)

  const unchanged = await send(path, { headers: { 'if-none-match': etag } })
  const counted = await send(path, { headers: { prefer: 'count=exact' } })
  const named = await send(path, { headers: { 'x-request-id': 'mine-1' } })
  const forwarded = await send(path, { headers: { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' } })
  const head = await send(path, { method: 'HEAD' })
  const created = await send(path, { method: 'POST' })
  const [otherHost] = readAnswers(
    await sendRaw(
      `GET ${path} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ),
  )
  const plain = await send(path)

  assert.equal(unchanged.status, 304)
  assert.equal(counted.headers.get('x-total-count'), '2')
  assert.equal(named.headers.get('x-request-id'), 'mine-1')
  assert.match(forwarded.headers.get('link') ?? '', /^<https:\/\/shop\.example\/v1\/pets\?/)
  assert.equal(head.text, '')
  assertError(created, 'invalid_body')
  assert.match(otherHost?.headers.get('link') ?? '', /^<http:\/\/other\.example\/v1\/pets\?/)
  assert.ok(plain.headers.get('link')?.startsWith(`<${origin}/v1/pets?`))
  assert.equal(plain.headers.get('x-total-count'), null)
  assert.notEqual(plain.headers.get('x-request-id'), 'mine-1')
})

test('a cached list shows the next new animal', async (t) => {
  const { send, create } = await startApp(t)

  for (let animals = 0; animals < 5; animals++) {
    for (let count = 0; count < often; count++)
      assert.equal(((await send('/v1/pets')).body as unknown[]).length, animals)
    await create({ name: 'Rex', categoryId: 1 })
  }
})

/** The service on a database file, and another handle on that file. */
async function startTwice(t: TestContext) {
  const url = await sqlite.url(t)
  const [storage, other] = [await openStorage(url), await openStorage(url)]
  const app = await startApp(t, { storage })
  t.after(async () => {
    await other.close()
    await storage.close()
  })
  return { ...app, other }
}

/** Every header but those that are of one answer alone. */
function lastingHeaders({ headers }: Answer): Record<string, string> {
  const { date, 'x-request-id': id, ...lasting } = Object.fromEntries(headers)
  assert.ok(date)
  assert.ok(id)
  return lasting
}
