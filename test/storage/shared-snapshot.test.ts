import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import type { WriteRelay } from '../../src/storage/shared/writes/relay.ts'
import { openForReading } from '../../src/storage/sqlite/connection/database.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { sharedSnapshot } from '../../src/storage/sqlite/reads/shared-snapshot.ts'
import { damageTable } from '../support/damage.ts'
import { temporaryFolder } from '../support/engines.ts'
import { openShopTwice } from '../support/shop-twice.ts'

test('reads of one turn of the event loop see what was committed when the version was read', async (t) => {
  const { storage, rename } = await openShopTwice(t)

  storage.version()
  rename('Max')
  const inTick = await storage.pets.find(1n)
  await nextLoopTick()
  const later = await storage.pets.find(1n)

  assert.equal(inTick?.name, 'Rex')
  assert.equal(later?.name, 'Max')
})

test('the next look at the version sees a commit in the same turn', async (t) => {
  const { storage, rename } = await openShopTwice(t)
  const before = storage.version()

  rename('Max')
  const after = storage.version()
  const found = await storage.pets.find(1n)

  assert.notEqual(after, before)
  assert.equal(found?.name, 'Max')
})

test('a read after an acknowledged write sees it, also in the turn in which the version was read', async (t) => {
  const shop = await openShopTwice(t)
  const relay: WriteRelay = {
    ...shop.storage.relay,
    async commit(group) {
      // A request of the same turn begins a snapshot just before the commit.
      relayed.version()
      shop.rename('Max')
      return (group as unknown[]).map(() => ({ value: { outcome: 'updated' } }))
    },
  }
  const relayed = await openSqlite(shop.path, { clock: Date.now, relay })
  t.after(() => relayed.close())

  await relayed.pets.update(1n, { name: 'Max' })
  const found = await relayed.pets.find(1n)

  assert.equal(found?.name, 'Max')
})

test('no snapshot stays open after the turn, so that the log can be emptied', async (t) => {
  const { storage, other, rename } = await openShopTwice(t)

  storage.version()
  await nextLoopTick()
  rename('Max')

  assert.equal(other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'], 0)
})

test('200 animals and pages that are asked for in one turn are all read, each for its reader', async (t) => {
  const { storage } = await openShopTwice(t)
  const ids = Array.from({ length: 200 }, (_, index) => BigInt(index + 1))
  await Promise.all(ids.slice(1).map((id) => storage.pets.create({ name: `Animal ${id}`, categoryId: 1n })))

  const found = await Promise.all(ids.map((id) => storage.pets.find(id)))
  const pages = await Promise.all(ids.map((id) => storage.pets.list({}, 1, id - 1n)))

  assert.deepEqual(
    found.map((pet) => pet?.id),
    ids,
  )
  assert.deepEqual(
    pages.map(({ items }) => items[0]?.id),
    ids,
  )
})

test('a read sees one state, also if no version was read in its turn', async (t) => {
  const { path, rename } = await openShopTwice(t)
  const reader = openForReading(path)
  t.after(() => reader.close())
  const { readAtEndOfTick } = sharedSnapshot(reader)
  const find = () => reader.prepare('SELECT name FROM pets WHERE id = 1').get()?.['name']

  const found = await readAtEndOfTick(async () => {
    const before = find()
    rename('Max')
    return [before, find()]
  })
  const later = await readAtEndOfTick(async () => find())

  assert.deepEqual(found, ['Rex', 'Rex'])
  assert.equal(later, 'Max')
})

test('reads that take long let others use the event loop between them', async (t) => {
  const { path } = await openShopTwice(t)
  const reader = openForReading(path)
  t.after(() => reader.close())
  const { readAtEndOfTick } = sharedSnapshot(reader)
  const order: string[] = []
  const readSlowly = async () => {
    const start = performance.now()
    while (performance.now() - start < 10);
    order.push('read')
  }

  const reading = Promise.all([readAtEndOfTick(readSlowly), readAtEndOfTick(readSlowly)])
  const other = nextLoopTick().then(() => order.push('other'))
  await Promise.all([reading, other])

  assert.deepEqual(order, ['read', 'other', 'read'])
})

test('a read that fails does not fail those of the same turn', async (t) => {
  const { path } = await openShopTwice(t)
  const reader = openForReading(path)
  t.after(() => reader.close())
  const { readAtEndOfTick } = sharedSnapshot(reader)
  const read = (sql: string) => readAtEndOfTick(async () => reader.prepare(sql).get())

  const [failed, found] = await Promise.allSettled([read('SELECT * FROM nowhere'), read('SELECT name FROM pets')])

  assert.equal(failed.status, 'rejected')
  assert.equal(found.status === 'fulfilled' && found.value?.['name'], 'Rex')
})

test('a snapshot in which a damaged page was read ends like any other', async (t) => {
  const path = `${temporaryFolder(t)}/pets.db`
  const intact = await openSqlite(path, { clock: Date.now })
  await intact.pets.create({ name: 'Rex', categoryId: 1n })
  await intact.close()
  damageTable(path, 'pets')
  const storage = await openSqlite(path, { clock: Date.now })
  t.after(() => storage.close())

  storage.version()
  await assert.rejects(storage.pets.find(1n), { code: 'unavailable' })
  await nextLoopTick()

  storage.version()
  await assert.rejects(storage.pets.find(1n), { code: 'unavailable' })
})

test('a read that was asked for before the storage is closed gets its result', async (t) => {
  const { storage } = await openShopTwice(t)

  const reading = storage.pets.find(1n)
  await storage.close()

  assert.equal((await reading)?.name, 'Rex')
})
