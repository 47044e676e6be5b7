import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { encodePet } from '../../src/contract/pet.ts'
import { entityTag } from '../../src/inventory/precondition.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { type OpenStorage, openStorage } from '../../src/storage/open.ts'
import { openForReading, pragma } from '../../src/storage/sqlite/connection/database.ts'
import { temporaryFolder } from '../support/engines.ts'
import { assertWithin } from '../support/promised-time.ts'
import { count, keyWith, migrated, opened, rex } from '../support/sqlite-file.ts'

test('sqlite: the write connection uses WAL and synchronous FULL', (t) => {
  const { db } = migrated(t)

  assert.equal(pragma(db, 'journal_mode'), 'wal')
  assert.equal(pragma(db, 'synchronous'), 2)
  assert.equal(pragma(db, 'foreign_keys'), 1)
})

test('sqlite: the read connection cannot write', (t) => {
  const { path } = migrated(t)
  const reader = openForReading(path)
  t.after(() => reader.close())

  assert.throws(() => reader.exec("INSERT INTO pets (name, category_id) VALUES ('Rex', 1)"), /readonly/)
})

test('sqlite: an open storage uses WAL mode', async (t) => {
  const { raw } = await opened(t)

  assert.equal(pragma(raw, 'journal_mode'), 'wal')
})

test('sqlite: the folder of the database is created', async (t) => {
  const path = join(temporaryFolder(t), 'a', 'b', 'petstore.db')

  const storage = await openStorage(`sqlite:${path}`)
  await storage.close()

  assert.ok(existsSync(path))
})

for (const url of ['sqlite:', 'mysql://localhost/pets', 'petstore.db', '']) {
  test(`sqlite: the database URL "${url}" is refused in one sentence`, async () => {
    await assert.rejects(openStorage(url), (error) => error instanceof StorageError && !error.message.includes('\n'))
  })
}

test('sqlite: close leaves one file behind', async (t) => {
  const { storage, raw, path } = await opened(t)
  raw.close()
  await storage.pets.create(rex)

  await storage.close()

  assert.deepEqual(readdirSync(dirname(path)), ['petstore.db'])
})

test('sqlite: close does not wait for a reader in another program', async (t) => {
  const { storage, raw } = await opened(t, { lockTimeoutMs: 60_000 })
  raw.exec('BEGIN')
  raw.prepare('SELECT count(*) FROM pets').get()
  await storage.pets.create(rex)

  await assertWithin(5_000, storage.close())

  raw.exec('COMMIT')
  assert.equal(count(raw, 'pets'), 1)
})

test('sqlite: animals, keys and Idempotency-Keys survive a restart', async (t) => {
  const url = `sqlite:${join(temporaryFolder(t), 'petstore.db')}`
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }
  const before = await openStorage(url)
  await before.pets.create(rex, idempotencyKey)
  await before.keys.create(keyWith('a'))
  await before.close()

  const after = await openStorage(url)
  t.after(() => after.close())

  assert.deepEqual(await after.pets.find(1n), { id: 1n, ...rex })
  assert.deepEqual(await after.pets.create(rex, idempotencyKey), { outcome: 'replayed', pet: { id: 1n, ...rex } })
  assert.equal((await after.keys.find('hash a'))?.id, 'key_a')
})

test('sqlite: the highest id is not assigned again after its animal is deleted', async (t) => {
  const { storage, raw } = await opened(t)
  await storage.pets.create(rex)
  await storage.pets.create(rex)
  raw.exec('DELETE FROM pets WHERE id = 2')

  const creation = await storage.pets.create(rex)

  assert.deepEqual(creation, { outcome: 'created', pet: { id: 3n, ...rex } })
})

test('sqlite: ids are not assigned again after all animals are deleted and the storage is reopened', async (t) => {
  const url = `sqlite:${join(temporaryFolder(t), 'petstore.db')}`
  const before = await openStorage(url)
  await before.pets.create(rex)
  await before.close()
  const raw = new DatabaseSync(url.slice('sqlite:'.length))
  raw.exec('DELETE FROM pets')
  raw.close()

  const after = await openStorage(url)
  t.after(() => after.close())

  assert.deepEqual(await after.pets.create(rex), { outcome: 'created', pet: { id: 2n, ...rex } })
})

test('sqlite: version changes with every write of another connection', async (t) => {
  const { storage, raw } = await opened(t)
  const versions = [storage.version()]

  for (let written = 0; written < 5; written++) {
    raw.exec("INSERT INTO pets (name, category_id) VALUES ('Rex', 1)")
    versions.push(storage.version())
  }

  assert.equal(new Set(versions).size, 6)
})

test('sqlite: version does not change before another connection commits', async (t) => {
  const { storage, raw } = await opened(t)
  const before = storage.version()

  raw.exec("BEGIN IMMEDIATE; INSERT INTO pets (name, category_id) VALUES ('Rex', 1)")
  const during = storage.version()
  raw.exec('ROLLBACK')

  assert.equal(during, before)
  assert.equal(storage.version(), before)
})

test('sqlite: writes of another connection are visible at once', async (t) => {
  const { storage, raw } = await opened(t)

  raw.exec("INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'available')")

  assert.deepEqual(await storage.pets.find(1n), { id: 1n, ...rex })
})

test('sqlite: every write works through the writer process', async (t) => {
  const { storage, path } = await opened(t)
  const { relay } = storage as OpenStorage
  assert.ok(relay !== undefined)
  // What is sent between processes is copied.
  const commit = async (group: unknown) => structuredClone(await relay.commit(structuredClone(group)))
  const other = await openStorage(`sqlite:${path}`, { relay: { ...relay, commit } })
  t.after(() => other.close())
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  const results = [
    await other.pets.create(rex),
    await other.pets.update(1n, { name: 'Max' }, { match: [entityTag(encodePet({ id: 1n, ...rex }))] }),
    await other.orders.place({ petId: 1n }, idempotencyKey),
    await other.orders.place({ petId: 1n }, idempotencyKey),
    await other.orders.update(1n, { status: 'completed' }),
    await other.pets.remove(1n),
  ]
  const put = await other.categories.put({ id: -1n, name: 'Dogs' })
  const forgotten = await other.events.forget(Date.now() + 1)
  const forgottenAnswers = await other.deleteExpiredResponses()

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['created', 'updated', 'placed', 'replayed', 'updated', 'removed'],
  )
  assert.deepEqual([put, forgotten, forgottenAnswers], [{ outcome: 'added' }, 7, 0])
})
