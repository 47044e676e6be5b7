import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { openStorage } from '../../src/storage/open.ts'
import { warm } from '../support/cached-responses.ts'
import { countReads } from '../support/response-cache-commits.ts'

test('a list that is asked for again is read twice, then it comes from memory until a commit', async (t) => {
  const app = await startApp(t)
  await app.send('/v1/pets?limit=1')
  const reads = countReads(app)

  for (let times = 0; times < 5; times++) await app.send('/v1/pets')
  assert.equal(reads(), 2)
  await app.create({ name: 'Rex', categoryId: 1 })
  const page = await app.send('/v1/pets')

  assert.equal(reads(), 3)
  assert.equal((page.body as unknown[]).length, 1)
})

test('a page that was read before a commit is not served after it', async (t) => {
  const app = await startApp(t)
  await app.send('/v1/pets')
  const { pets } = app.storage
  const { list } = pets
  pets.list = async (...input) => {
    const page = await list(...input)
    await pets.create({ name: 'Rex', categoryId: 1n })
    pets.list = list
    return page
  }

  const before = await app.send('/v1/pets')
  const after = await app.send('/v1/pets')

  assert.deepEqual(before.body, [])
  assert.equal((after.body as unknown[]).length, 1)
})

test('the response cache shows writes of this process at once', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  for (let id = 1; id <= 5; id++) {
    await app.create({ name: `Rex ${id}`, categoryId: 1 })
    const page = await warm(app, '/v1/pets')
    assert.equal((page.body as unknown[]).length, id)
  }
})

test('the response cache shows writes of another process at once', async (t) => {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const app = await startApp(t, { storage })
  const other = await openStorage(url)
  t.after(() => other.close())
  await warm(app, '/v1/pets')

  await other.pets.create({ name: 'Rex', categoryId: 1n })
  const page = await app.send('/v1/pets')

  assert.equal((page.body as unknown[]).length, 1)
})

test('a page stays in memory when deliveries are recorded, but not when anything else changes, nor for a revoked key', async (t) => {
  const app = await startApp(t, { engine: sqlite })
  const { deliveries, keys } = app.storage
  const lease = await deliveries.acquire('a process', 60_000)
  assert.ok(lease !== undefined)
  const position = { webhookId: 1n, eventId: 1n, attempts: 0 }
  const attempt = { webhookId: 1n, type: 'petstore.webhook.test', at: 0, attempt: 1, durationMs: 1 }
  const record = () => deliveries.record(lease, 60_000, { positions: [position], tries: [attempt] })
  await app.create({ name: 'Rex', categoryId: 1 })
  const other = await app.makeKey()
  const reads = countReads(app)
  await warm(app, '/v1/pets')
  assert.equal(reads(), 2)

  for (let times = 0; times < 3; times++) {
    await record()
    await app.send('/v1/pets')
  }
  assert.equal(reads(), 2)

  await Promise.all([record(), app.create({ name: 'Tom', categoryId: 1 })])
  assert.equal(((await app.send('/v1/pets')).body as unknown[]).length, 2)
  const headers = { authorization: `Bearer ${other.secret}` }
  assert.equal((await app.send('/v1/pets', { headers })).status, 200)
  await Promise.all([record(), keys.revoke(other.id, Date.now()), record()])
  assert.equal((await app.send('/v1/pets', { headers })).status, 401)
})
