import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { openForDeliveries } from '../../src/storage/open-for-deliveries.ts'
import { openStorage } from '../../src/storage/open.ts'
import type { ThreadRelay } from '../../src/storage/shared/writes/relay.ts'
import { openForReading, prepareOneRow } from '../../src/storage/sqlite/connection/database.ts'
import { damageTable } from '../support/damage.ts'
import { type Engine, postgres, sqlite } from '../support/engines.ts'
import { testTry } from '../support/stored-deliveries.ts'
import { until } from '../support/until.ts'

const hour = 3_600_000

async function openBoth(t: TestContext, engine: Engine) {
  const url = await engine.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const opened = await openForDeliveries(url, storage.relay as ThreadRelay)
  t.after(() => opened.close())
  return { url, storage, opened }
}

const rex = { name: 'Rex', categoryId: 1n }

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: who delivers reads events and webhooks once they are committed, also large ones`, async (t) => {
    const { storage, opened } = await openBoth(t, engine)
    assert.equal((await opened.events.latest()).id, 0n)
    const name = 'x'.repeat(100_000)
    await storage.pets.create({ ...rex, name })
    await storage.webhooks.create({ url: 'https://shop.example/hook', types: ['petstore.pet.created'] })

    const { items } = await opened.events.list(10, 0n)
    const endpoints = await opened.webhooks.enabled()

    assert.deepEqual(items, (await storage.events.list(10, 0n)).items)
    assert.ok(items[0]?.data.includes(name))
    assert.deepEqual(endpoints, await storage.webhooks.enabled())
    assert.deepEqual(await opened.events.latest(), await storage.events.latest())
  })

  test(`${engine.name}: who delivers stores positions and tries, which everybody sees`, async (t) => {
    const { storage, opened } = await openBoth(t, engine)
    await storage.pets.create(rex)
    await storage.webhooks.create({ url: 'https://shop.example/hook' })
    const lease = await opened.deliveries.acquire('a thread', hour)
    assert.ok(lease !== undefined)
    const position = { webhookId: 1n, eventId: 1n, attempts: 0 }
    const attempt = {
      webhookId: 1n,
      type: 'petstore.pet.created',
      at: 1,
      attempt: 1,
      status: 204,
      durationMs: 2,
    }

    const isStored = await opened.deliveries.record(lease, hour, { positions: [position], tries: [attempt] })

    assert.equal(isStored, true)
    assert.deepEqual(await storage.deliveries.positions(), [position])
    assert.deepEqual((await storage.deliveries.list(1n, 10)).items, [{ id: 1n, ...attempt }])
    // Another holder has to wait for its end.
    assert.equal(await opened.deliveries.acquire('another', hour), undefined)
  })
}

test('sqlite: who delivers sees a new version with every commit, but not with its own notes', async (t) => {
  const { storage, opened } = await openBoth(t, sqlite)
  const lease = await opened.deliveries.acquire('a thread', hour)
  const first = opened.version()
  await storage.pets.create(rex)
  const second = opened.version()
  assert.ok(lease !== undefined && (await opened.deliveries.renew(lease, hour)))

  assert.notEqual(second, first)
  assert.equal(opened.version(), second)
})

test('sqlite: notes of deliveries that come with a write of the shop are in its commit', async (t) => {
  const { url, storage, opened } = await openBoth(t, sqlite)
  const db = openForReading(url.replace('sqlite:', ''))
  t.after(() => db.close())
  // A commit counts as bookkeeping if there is nothing else in it.
  const counts = prepareOneRow<[changes: bigint, bookkeeping: bigint]>(
    db,
    'SELECT changes, bookkeeping FROM pet_totals',
  )
  const isShared = async () => {
    const [changes, bookkeeping] = counts.get()
    await Promise.all([opened.deliveries.addTry(testTry), storage.pets.create(rex)])
    const [changesAfter, bookkeepingAfter] = counts.get()
    assert.equal(changesAfter - changes, 1n)
    return bookkeepingAfter === bookkeeping
  }

  // The write of the shop may come too late on a busy machine.
  await until(isShared)
})

test('sqlite: who delivers opens no other files than those that are written', async (t) => {
  const url = await sqlite.url(t)
  const path = url.replace('sqlite:', '')
  const storage = await openStorage(url)
  t.after(() => storage.close())
  for (const ending of ['', '-wal', '-shm']) renameSync(path + ending, `${path}-moved${ending}`)
  await (await openStorage(url)).close()

  await assert.rejects(openForDeliveries(url, storage.relay as ThreadRelay), /moved, deleted or replaced/)
})

test('sqlite: damage that deliveries find ends the writes of the service', async (t) => {
  const url = await sqlite.url(t)
  const earlier = await openStorage(url)
  await earlier.pets.create(rex)
  await earlier.close()
  damageTable(url.replace('sqlite:', ''), 'events')
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const opened = await openForDeliveries(url, storage.relay as ThreadRelay)
  t.after(() => opened.close())

  await assert.rejects(opened.events.list(10, 0n))

  await assert.rejects(storage.categories.put({ id: 1n, name: 'Dogs' }), { code: 'unavailable' })
  await assert.rejects(opened.deliveries.acquire('a thread', hour), { code: 'unavailable' })
  assert.ok(Number.isNaN(opened.version()))
})
