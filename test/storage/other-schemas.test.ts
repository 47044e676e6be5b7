import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { schemaNumber } from '../../src/storage/sqlite/schema/migrate.ts'
import { nextVersion } from '../support/next-version.ts'
import { notStored, opened, openRaw, rex, unavailable } from '../support/sqlite-health.ts'

/** A thread with a connection that is open for half a second. */
const openForAMoment = `
  const db = new DatabaseSync(workerData)
  db.exec('SELECT * FROM sqlite_schema')
  parentPort.postMessage('open')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  db.close()
`

/** A thread that waits until nobody else has the database open, like a start that migrates it. */
const waitToBeAlone = `
  const db = new DatabaseSync(workerData, { timeout: 60_000 })
  parentPort.postMessage('waits')
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
  db.close()
`

const threadParts = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
`

test('sqlite: a database migrated by a newer version refuses writes', async (t) => {
  const { storage, path, reports } = await opened(t)
  await storage.pets.create(rex)
  const newer = openRaw(t, path)
  const { user_version: current } = newer.prepare('PRAGMA user_version').get() as { user_version: number }
  newer.exec(`PRAGMA user_version = ${current + 1}`)

  await assert.rejects(storage.pets.create(rex), notStored)
  await assert.rejects(storage.check(), unavailable)
  const stored = newer.prepare('SELECT count(*) AS n FROM events').get()?.['n']
  newer.exec(`PRAGMA user_version = ${current}`)
  await storage.check()

  assert.equal(stored, 1)
  assert.match(reports[0] ?? '', /was written by a newer version of the program \(schema \d+, this one knows \d+\)/)
  assert.deepEqual(reports.slice(1), [undefined])
})

test('sqlite: a database migrated by a newer version is not ready, even without a write', async (t) => {
  const { storage, path } = await opened(t)
  await storage.check()

  openRaw(t, path).exec('PRAGMA user_version = 1000')

  await assert.rejects(storage.check(), unavailable)
})

test('sqlite: a schema that is not its own ends reads that do not fit it, and readiness, without an unexpected error', async (t) => {
  const { storage, path } = await opened(t)
  await storage.pets.create(rex)
  const other = openRaw(t, path)
  const { user_version: own } = other.prepare('PRAGMA user_version').get() as { user_version: number }

  other.exec(`ALTER TABLE orders RENAME TO sales; PRAGMA user_version = ${own + 1}`)
  await assert.rejects(storage.orders.find(1n), unavailable)
  await assert.rejects(storage.check(), unavailable)
  other.exec(`ALTER TABLE sales RENAME TO orders; PRAGMA user_version = ${own - 1}`)
  await assert.rejects(storage.check(), unavailable)
  await assert.rejects(storage.pets.create(rex), notStored)
})

test('sqlite: a database of the version before that another process has open is not migrated', async (t) => {
  const { storage: older, path } = await opened(t)
  const { openStorage: openNext, schema } = await nextVersion()

  await assert.rejects(openNext(`sqlite:${path}`, { lockTimeoutMs: 100 }), {
    name: 'StorageError',
    message: `The database ${path} is in use: stop the service, then migrate.`,
  })
  const raw = openRaw(t, path)
  assert.equal(schemaNumber(raw), schema - 1)
  raw.close()
  await older.pets.create(rex)
  await older.close()
  const storage = await openNext(`sqlite:${path}`)
  t.after(() => storage.close())

  await storage.check()
  assert.equal(schemaNumber(openRaw(t, path)), schema)
})

test('sqlite: two processes that migrate a database at once do not wait for each other', async (t) => {
  const { storage: older, path } = await opened(t)
  await older.close()
  const { openStorage: openNext, schema } = await nextVersion()
  for (const script of [openForAMoment, waitToBeAlone]) {
    const thread = new Worker(`${threadParts}${script}`, { eval: true, workerData: path })
    t.after(() => thread.terminate())
    await once(thread, 'message')
  }

  const storage = await openNext(`sqlite:${path}`, { lockTimeoutMs: 3000 })
  t.after(() => storage.close())

  await storage.check()
  assert.equal(schemaNumber(openRaw(t, path)), schema)
})

/** A connection that plays another program. */
