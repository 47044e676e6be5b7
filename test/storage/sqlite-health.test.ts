import assert from 'node:assert/strict'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { WriteRelay } from '../../src/storage/shared/writes/relay.ts'
import { type OpenOptions, openStorage } from '../../src/storage/open.ts'
import { schemaNumber } from '../../src/storage/sqlite/schema/migrate.ts'
import { nextVersion } from '../support/next-version.ts'
import { damageTable } from '../support/damage.ts'
import { temporaryFolder } from '../support/engines.ts'
import { run } from '../support/service.ts'
import { smallDisk } from '../support/small-disk.ts'

// What a SQLite database does when the world around it misbehaves.

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const unavailable = { code: 'unavailable' }
const unknownOutcome = { code: 'unavailable', message: /^It is unknown whether the change was stored/ }
const notStored = { code: 'unavailable', message: /^Nothing can be written right now/ }

const harms: Record<string, { do(path: string): void; undo(path: string): void }> = {
  'the file is renamed': {
    do: (path) => renameSync(path, `${path}.old`),
    undo: (path) => renameSync(`${path}.old`, path),
  },
  'the file is replaced by another': {
    do(path) {
      renameSync(path, `${path}.old`)
      cpSync(`${path}.old`, path)
    },
    undo: (path) => renameSync(`${path}.old`, path),
  },
  'the log is renamed': {
    do: (path) => renameSync(`${path}-wal`, `${path}.log`),
    undo: (path) => renameSync(`${path}.log`, `${path}-wal`),
  },
  'the shared memory is renamed': {
    do: (path) => renameSync(`${path}-shm`, `${path}.memory`),
    undo: (path) => renameSync(`${path}.memory`, `${path}-shm`),
  },
  'the folder is renamed': {
    do: (path) => renameSync(dirname(path), `${dirname(path)}.old`),
    undo: (path) => renameSync(`${dirname(path)}.old`, dirname(path)),
  },
  'the folder becomes a file': {
    do(path) {
      renameSync(dirname(path), `${dirname(path)}.old`)
      writeFileSync(dirname(path), '')
    },
    undo(path) {
      rmSync(dirname(path))
      renameSync(`${dirname(path)}.old`, dirname(path))
    },
  },
  // Like a folder that the user of the service may not read, which root always may.
  'the folder cannot be read': {
    do(path) {
      renameSync(dirname(path), `${dirname(path)}.old`)
      symlinkSync(dirname(path), dirname(path))
    },
    undo(path) {
      rmSync(dirname(path))
      renameSync(`${dirname(path)}.old`, dirname(path))
    },
  },
}

for (const [what, harm] of Object.entries(harms)) {
  test(`sqlite: nothing is acknowledged after ${what}, and writes succeed when it is back`, async (t) => {
    const { storage, path, reports } = await opened(t)
    await storage.pets.create(rex)

    harm.do(path)
    await assert.rejects(storage.pets.create(rex), unknownOutcome)
    await assert.rejects(storage.pets.create(rex), notStored)
    await assert.rejects(storage.check(), unavailable)
    const page = await storage.pets.list({}, 20, 0n)
    harm.undo(path)
    await storage.check()
    await storage.pets.create(rex)

    assert.equal(page.items[0]?.name, 'Rex')
    assert.equal(reports.length, 2)
    assert.match(
      reports[0] ?? '',
      /^The files of the database were moved, deleted or replaced [^\n]+ (Put them back\. |Restart the service\.$)/,
    )
    assert.equal(reports[1], undefined)
    await storage.close()
    const after = await openStorage(`sqlite:${path}`)
    t.after(() => after.close())
    // The one of which nobody knew is there too: the file came back.
    assert.equal(await after.pets.count({}), 3n)
  })
}

test('sqlite: a storage with missing files is not ready, even without a write', async (t) => {
  const { storage, path, reports } = await opened(t)
  await storage.check()

  rmSync(dirname(path), { recursive: true })

  await assert.rejects(storage.check(), unavailable)
  await assert.rejects(storage.check(), unavailable)
  assert.equal(reports.length, 1)
})

test('sqlite: closing a replaced database does not change the new one', async (t) => {
  const { storage, path } = await opened(t)
  await storage.pets.create(rex)
  renameSync(dirname(path), `${dirname(path)}.old`)
  const { storage: other } = await openedAt(t, path)
  await other.pets.create(rex)

  await storage.close()

  assert.ok(existsSync(`${path}-wal`))
  await other.pets.create(rex)
  await other.close()
  const { storage: after } = await openedAt(t, path)
  assert.equal(await after.pets.count({}), 2n)
  const { storage: old } = await openedAt(t, join(`${dirname(path)}.old`, 'petstore.db'))
  assert.equal(await old.pets.count({}), 1n)
})

test('sqlite: closing a database with a removed log keeps what others wrote since', async (t) => {
  const { storage, path } = await opened(t)
  await storage.pets.create(rex)
  rmSync(`${path}-wal`)
  rmSync(`${path}-shm`)
  // In a process of its own: connections of one process share what they know of the log.
  const env = { PETSTORE_DATABASE_URL: `sqlite:${path}` }
  const input = '{"name":"Tom","categoryId":1}'
  const { code, stderr } = await run(t, ['import', '-'], { env, input })
  assert.equal(code, 0, stderr)

  await storage.close()

  const { storage: after } = await openedAt(t, path)
  assert.deepEqual((await after.pets.list({}, 20, 0n)).items, [{ id: 1n, name: 'Tom', categoryId: 1n }])
})

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

async function opened(t: TestContext, options: OpenOptions = {}) {
  const folder = join(temporaryFolder(t), 'data')
  mkdirSync(folder)
  return openedAt(t, join(folder, 'petstore.db'), options)
}

/** The engine on a file, and what it reported. */
async function openedAt(t: TestContext, path: string, options: OpenOptions = {}) {
  const reports: (string | undefined)[] = []
  const storage = await openStorage(`sqlite:${path}`, { ...options, report: (problem) => reports.push(problem) })
  t.after(() => storage.close())
  return { storage, path, reports }
}

/** A connection that plays another program. */
function openRaw(t: TestContext, path: string): DatabaseSync {
  const raw = new DatabaseSync(path)
  t.after(() => raw.isOpen && raw.close())
  return raw
}

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
