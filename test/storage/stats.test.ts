import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import { openStorage } from '../../src/storage/open.ts'
import { readDatabaseUrl } from '../../src/storage/shared/url.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'

const rex = { name: 'Rex', categoryId: 1n } as const
const none = { queued: 0, stored: 0, failed: 0, unknown: 0, refused: 0 }

for (const engine of engines) {
  test(`${engine.name}: the statistics count writes that were stored`, async (t) => {
    const storage = await engine.open(t)
    const before = storage.stats().writer

    await Promise.all(Array.from({ length: 5 }, () => storage.pets.create(rex)))

    const { queued, stored, failed, unknown, refused, groupSizes } = storage.stats().writer
    assert.deepEqual({ queued, stored: stored - before.stored, failed, unknown, refused }, { ...none, stored: 5 })
    assert.ok(groupSizes.sum >= 5)
  })
}

for (const engine of engines) {
  test(`${engine.name}: a batch of an import counts as a write, stored or failed`, async (t) => {
    const { imports, stats } = await engine.open(t)
    const before = stats().writer

    await imports.add([rex, rex])
    await assert.rejects(imports.add([{ ...rex, status: 'lost' } as unknown as NewPet]))

    const { stored, failed } = stats().writer
    assert.deepEqual([stored - before.stored, failed - before.failed], [1, 1])
  })
}

test('sqlite: the size is the size of the files and of their disk', async (t) => {
  const url = await sqlite.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  await storage.pets.create(rex)

  const { databaseBytes, walBytes, diskFreeBytes = 0, diskBytes = 0, serverSessions } = await storage.size()

  const { path } = readDatabaseUrl(url) as { path: string }
  assert.deepEqual([databaseBytes, walBytes], [statSync(path).size, statSync(`${path}-wal`).size])
  assert.ok(walBytes !== undefined && walBytes > 0)
  assert.ok(0 < diskFreeBytes && diskFreeBytes <= diskBytes)
  assert.equal(serverSessions, undefined)
})

test('sqlite: a process that writes through another one counts no commits', async (t) => {
  const url = await sqlite.url(t)
  const writing = await openStorage(url)
  t.after(() => writing.close())
  const relay = writing.relay as NonNullable<typeof writing.relay>
  const relayed = await openStorage(url, { relay })
  t.after(() => relayed.close())
  const before = writing.stats().writer.stored

  await relayed.pets.create(rex)

  assert.equal(writing.stats().writer.stored, before + 1)
  const { stored, groupSizes } = relayed.stats().writer
  assert.deepEqual([stored, groupSizes.sum], [0, 0])
})

test('postgres: the statistics count the sessions of this process', async (t) => {
  const storage = await postgres.open(t)
  await storage.pets.count({})

  const { sessions, pendingReads, replica } = storage.stats()

  assert.deepEqual(sessions, [
    { role: 'writer', open: 1, busy: 0 },
    { role: 'reader', open: 1, busy: 0 },
  ])
  assert.equal(pendingReads, 0)
  assert.equal(replica, undefined)
})

test('postgres: a read without a result is counted as pending', async (t) => {
  const storage = await postgres.open(t)

  const reading = storage.pets.find(1n)

  assert.equal(storage.stats().pendingReads, 1)
  await reading
  assert.equal(storage.stats().pendingReads, 0)
})

test('postgres: the size has the database, the sessions of the server and, for an administrator, the log', async (t) => {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())

  const { databaseBytes = 0, walBytes = 0, diskBytes, serverSessions } = await storage.size()

  const [[max]] = (await runSql(url, "SELECT current_setting('max_connections')::int")) as [[number]]
  assert.ok(databaseBytes > 1_000_000 && walBytes > 1_000_000)
  assert.equal(diskBytes, undefined)
  assert.equal(serverSessions?.max, max)
  assert.ok(serverSessions !== undefined && serverSessions.used >= 2 && serverSessions.used <= max)
})
