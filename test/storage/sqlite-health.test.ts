import assert from 'node:assert/strict'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { WriteRelay } from '../../src/storage/shared/writes/relay.ts'
import { openStorage } from '../../src/storage/open.ts'
import { damageTable } from '../support/damage.ts'
import { temporaryFolder } from '../support/engines.ts'
import { smallDisk } from '../support/small-disk.ts'
import { notStored, opened, openedAt, openRaw, rex, unavailable, unknownOutcome } from '../support/sqlite-health.ts'

for (const [found, find] of Object.entries<(storage: Awaited<ReturnType<typeof openStorage>>) => Promise<unknown>>({
  'a read': ({ pets }) => pets.list({}, 20, 0n),
  'a write': ({ pets }) => pets.update(1n, { name: 'Max' }),
})) {
  test(`sqlite: damage found by ${found} ends reads, writes and readiness`, async (t) => {
    const { path, storage, reports } = await openedDamaged(t)

    await assert.rejects(find(storage), unavailable)

    await assert.rejects(storage.pets.create(rex), unavailable)
    await assert.rejects(storage.categories.put({ id: 1n, name: 'Dogs' }), unavailable)
    await assert.rejects(storage.categories.list(20), unavailable)
    await assert.rejects(storage.keys.list(), unavailable)
    await assert.rejects(storage.check(), unavailable)
    assert.ok(Number.isNaN(storage.version()))
    assert.equal(reports.length, 1)
    assert.match(reports[0] ?? '', /is damaged \([^)]+\): [^\n]+ run petstore check, and restore a backup\.$/)
    const raw = openRaw(t, path)
    assert.deepEqual(raw.prepare('SELECT count(*) AS n FROM categories').get()?.['n'], 0)
  })
}

test('sqlite: damage found by another process ends its writes', async (t) => {
  const { path, storage, reports } = await openedDamaged(t)
  const { storage: worker } = await openedAt(t, path, { relay: storage.relay as WriteRelay })

  await assert.rejects(worker.pets.list({}, 20, 0n), unavailable)

  await assert.rejects(storage.categories.put({ id: 1n, name: 'Dogs' }), unavailable)
  await assert.rejects(worker.check(), unavailable)
  assert.equal(reports.length, 1)
})

test('sqlite: a write that takes too long has an unknown outcome and is safe to repeat', async (t) => {
  const { storage, path, reports } = await opened(t, { writeTimeoutMs: 3_000, lockTimeoutMs: 60_000 })
  const raw = openRaw(t, path)
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }
  await storage.pets.create(rex)
  raw.exec('BEGIN IMMEDIATE')

  await assert.rejects(storage.pets.create(rex, idempotencyKey), unknownOutcome)
  await assert.rejects(storage.pets.create(rex, idempotencyKey), notStored)
  await assert.rejects(storage.check(), unavailable)
  const page = await storage.pets.list({}, 20, 0n)
  raw.exec('ROLLBACK')
  await untilReady(storage)
  const again = await storage.pets.create(rex, idempotencyKey)

  assert.equal(page.items.length, 1)
  assert.deepEqual(again, { outcome: 'replayed', pet: { id: 2n, ...rex } })
  assert.deepEqual(reports, ['Nothing can be written: a write did not finish within 3000 ms.', undefined])
})

test('sqlite: writes that wait for a lock fail together and are not stored', async (t) => {
  const { storage, path, reports } = await opened(t, { lockTimeoutMs: 1_000 })
  const raw = openRaw(t, path)
  raw.exec('BEGIN IMMEDIATE')

  const first = storage.pets.create(rex)
  await wait(10)
  const second = storage.pets.create(rex)
  let isSecondOver = false
  second.catch(() => (isSecondOver = true))

  await assert.rejects(first, notStored)
  await wait(0)
  assert.ok(isSecondOver, 'the second waits for the lock once more')
  await assert.rejects(second, notStored)
  await assert.rejects(storage.check(), unavailable)
  raw.exec('ROLLBACK')
  await storage.check()
  assert.equal(await storage.pets.count({}), 0n)
  assert.deepEqual(reports, ['Nothing can be written: database is locked.', undefined])
})

test('sqlite: a readiness check writes to the disk if no recent write has, and changes nothing', async (t) => {
  const { storage, path } = await opened(t, { lockTimeoutMs: 100 })
  const raw = openRaw(t, path)
  raw.exec('BEGIN IMMEDIATE')

  await assert.rejects(storage.check(), unavailable)

  raw.exec('ROLLBACK')
  const before = raw.prepare('SELECT (SELECT count(*) FROM events) + (SELECT total_changes()) AS n').get()
  await storage.check()
  assert.deepEqual(raw.prepare('SELECT (SELECT count(*) FROM events) + (SELECT total_changes()) AS n').get(), before)
})

test('sqlite: a full disk ends readiness until there is room', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return
  const { storage, reports } = await openedAt(t, join(disk, 'petstore.db'))
  await storage.check()
  const filler = openSync(join(disk, 'filler'), 'w')
  assert.throws(() => {
    for (;;) writeSync(filler, Buffer.alloc(4096))
  }, /ENOSPC/)

  await assert.rejects(storage.pets.create({ ...rex, name: 'x'.repeat(50_000) }), unavailable)
  await assert.rejects(storage.check(), unavailable)
  const page = await storage.pets.list({}, 20, 0n)
  closeSync(filler)
  rmSync(join(disk, 'filler'))
  await storage.check()

  assert.deepEqual(page.items, [])
  assert.match(reports[0] ?? '', /^Nothing can be written: (database or disk is full|disk I\/O error)\.$/)
  assert.equal(reports.at(-1), undefined)
})

test('sqlite: if the writer process hangs, writes fail in time and reads continue', async (t) => {
  const { storage, path } = await opened(t)
  await storage.pets.create(rex)
  const never = () => new Promise<never>(() => undefined)
  const relay = { ...(storage.relay as WriteRelay), commit: never, check: never, foundDamage: never }
  const { storage: worker } = await openedAt(t, path, { relay, writeTimeoutMs: 100 })

  await assert.rejects(worker.pets.create(rex), unknownOutcome)
  await assert.rejects(worker.pets.create(rex), notStored)
  await assert.rejects(worker.check(), unavailable)

  assert.equal(await worker.pets.count({}), 1n)
})

test('sqlite: an outcome unknown to the writer process is unknown to the others', async (t) => {
  const { storage, path } = await opened(t, { writeTimeoutMs: 100, lockTimeoutMs: 60_000 })
  const { storage: worker } = await openedAt(t, path, { relay: storage.relay as WriteRelay })
  const raw = openRaw(t, path)
  raw.exec('BEGIN IMMEDIATE')

  await assert.rejects(worker.pets.create(rex), unknownOutcome)

  raw.exec('ROLLBACK')
  await untilReady(storage)
})

/** A connection that plays another program. */

/** A shop with one pet, in a file whose table of pets is damaged. */
async function openedDamaged(t: TestContext) {
  const path = join(temporaryFolder(t), 'petstore.db')
  const { storage } = await openedAt(t, path)
  await storage.pets.create(rex)
  await storage.close()
  damageTable(path, 'pets')
  return openedAt(t, path)
}

async function untilReady(storage: { check(): Promise<void> }): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    try {
      return await storage.check()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await wait(10)
    }
  }
}
