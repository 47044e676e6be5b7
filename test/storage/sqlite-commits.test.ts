import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { pragma } from '../../src/storage/sqlite/connection/database.ts'
import { sqliteCode } from '../../src/storage/sqlite/connection/errors.ts'
import { groupCommit, type WriteRequest, type WriteResult } from '../../src/storage/sqlite/writes/writes.ts'
import { count, keyWith, migrated, opened, rex, writerOf } from '../support/sqlite-file.ts'

// A frame of the log that ends a commit tells the size of the database (https://sqlite.org/fileformat.html#walformat).
function commitsInLog(path: string): number {
  const log = readFileSync(`${path}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits++
  return commits
}

test('sqlite: one bad write in a group fails alone and the rest commit', (t) => {
  const { db } = migrated(t)
  const commit = groupCommit(db)
  const createPet: WriteRequest = ['createPet', { pet: rex, at: 0 }]

  const results = commit([createPet, ['createKey', keyWith('a')], ['createKey', keyWith('a')], createPet])

  assert.deepEqual(
    results.map((result) => ('value' in result ? 'done' : result.failure.sqliteCode)),
    ['done', 'done', 19, 'done'],
  )
  assert.equal(count(db, 'pets'), 2)
  assert.equal(count(db, 'api_keys'), 1)
})

test('sqlite: writes of a group that ran again return what is on disk', (t) => {
  const { db } = migrated(t)
  const commit = groupCommit(db)
  commit([['createKey', keyWith('a')]])

  const results = commit([
    ['createPet', { pet: rex, at: 0 }],
    ['createKey', keyWith('a')],
    ['createPet', { pet: rex, at: 0 }],
  ])

  const ids = results.flatMap((result) => ('value' in result ? [(result.value as { pet: { id: bigint } }).pet.id] : []))
  const stored = db.prepare('SELECT id FROM pets ORDER BY id').all() as { id: bigint }[]
  assert.deepEqual(
    ids,
    stored.map(({ id }) => id),
  )
})

test('sqlite: a group is one commit on disk', (t) => {
  const { db, path } = migrated(t)
  const commit = groupCommit(db)
  const before = commitsInLog(path)

  commit(Array.from({ length: 50 }, (): WriteRequest => ['createPet', { pet: rex, at: 0 }]))

  assert.equal(commitsInLog(path) - before, 1)
  assert.equal(count(db, 'pets'), 50)
})

test('sqlite: writes wait for a lock of another program', async (t) => {
  const { storage, raw } = await opened(t)
  raw.exec('BEGIN IMMEDIATE')
  let settled = false

  const creating = storage.pets.create(rex).finally(() => (settled = true))
  await wait(200)
  const whileHeld = settled
  raw.exec('COMMIT')
  const creation = await creating

  assert.equal(whileHeld, false)
  assert.deepEqual(creation, { outcome: 'created', pet: { id: 1n, ...rex } })
})

test('sqlite: reads continue while another program holds the write lock', async (t) => {
  const { storage, raw } = await opened(t)
  await storage.pets.create(rex)
  raw.exec('BEGIN IMMEDIATE; DELETE FROM pets')
  const creating = storage.pets.create(rex)

  const page = await storage.pets.list({}, 20, 0n)
  const counted = await storage.pets.count({})
  await storage.check()
  raw.exec('ROLLBACK')
  await creating

  assert.deepEqual(page.items, [{ id: 1n, ...rex }])
  assert.equal(counted, 1n)
})

test('sqlite: a lock that is held too long fails every write of the group as busy', (t) => {
  const { db, raw } = migrated(t)
  db.exec('PRAGMA busy_timeout = 20')
  const commit = groupCommit(db)
  raw.exec('BEGIN IMMEDIATE')

  const results = commit([
    ['createPet', { pet: rex, at: 0 }],
    ['createKey', keyWith('a')],
  ])
  raw.exec('ROLLBACK')

  assert.deepEqual(results.map(codeOf), [sqliteCode.busy, sqliteCode.busy])
  assert.deepEqual(commit([['createPet', { pet: rex, at: 0 }]]).map(codeOf), [undefined])
})

test('sqlite: a full disk fails a write, loses nothing, and a retry succeeds when there is room', (t) => {
  const { db } = migrated(t)
  const commit = groupCommit(db)
  const large: WriteRequest = ['createPet', { pet: { ...rex, name: 'x'.repeat(50_000) }, at: 0 }]
  commit([['createPet', { pet: rex, at: 0 }]])
  db.exec(`PRAGMA max_page_count = ${Number(pragma(db, 'page_count'))}`)

  const full = commit([large])
  const kept = count(db, 'pets')
  db.exec('PRAGMA max_page_count = 1000000')
  const again = commit([large])

  assert.deepEqual(full.map(codeOf), [sqliteCode.full])
  assert.equal(kept, 1)
  assert.deepEqual(again.map(codeOf), [undefined])
  assert.equal(pragma(db, 'integrity_check'), 'ok')
})

test('sqlite: a write too large for a full disk fails alone in its group', (t) => {
  const { db } = migrated(t)
  const commit = groupCommit(db)
  const small: WriteRequest = ['createPet', { pet: rex, at: 0 }]
  commit([small])
  db.exec(`PRAGMA max_page_count = ${Number(pragma(db, 'page_count'))}`)

  const results = commit([small, ['createPet', { pet: { ...rex, name: 'x'.repeat(50_000) }, at: 0 }], small])

  assert.deepEqual(results.map(codeOf), [undefined, sqliteCode.full, undefined])
  assert.equal(count(db, 'pets'), 3)
})

test('sqlite: a commit that fails with an I/O error has an unknown outcome and is not retried', (t) => {
  const { db } = migrated(t)
  let commits = 0
  // A disk that fails at the flush cannot be had here.
  const failing = new Proxy(db, {
    get(target, member) {
      const value = Reflect.get(target, member) as unknown
      if (member !== 'prepare') return typeof value === 'function' ? value.bind(target) : value
      return (sql: string) => {
        if (sql !== 'COMMIT') return target.prepare(sql)
        return {
          run() {
            commits++
            throw Object.assign(new Error('disk I/O error'), { errcode: 1034 }) // SQLITE_IOERR_FSYNC
          },
        }
      }
    },
  })

  const results = groupCommit(failing)([
    ['createPet', { pet: rex, at: 0 }],
    ['createPet', { pet: rex, at: 0 }],
  ])

  assert.equal(commits, 1)
  for (const result of results) {
    assert.ok('failure' in result)
    assert.deepEqual([result.failure.sqliteCode, result.failure.mayHaveSucceeded], [sqliteCode.ioError, true])
  }
  assert.equal(count(db, 'pets'), 0)
})

test('sqlite: a full disk is unavailable for the client', async (t) => {
  const { db } = migrated(t)
  const writer = writerOf(db)
  db.exec(`PRAGMA max_page_count = ${Number(pragma(db, 'page_count'))}`)

  const writing = writer.write('createPet', { pet: { ...rex, name: 'x'.repeat(50_000) }, at: 0 })

  await assert.rejects(writing, (error) => {
    assert.ok(error instanceof PetStoreError)
    assert.equal(error.code, 'unavailable')
    assert.equal(error.retryAfterSeconds, 1)
    return true
  })
})

test('sqlite: a constraint violation is a bug, not unavailable', async (t) => {
  const { db } = migrated(t)
  const writer = writerOf(db)
  await writer.write('createKey', keyWith('a'))

  await assert.rejects(
    writer.write('createKey', keyWith('a')),
    (error) => error instanceof Error && !(error instanceof PetStoreError),
  )
})

for (const [what, write] of Object.entries<(storage: Storage) => Promise<unknown>>({
  'an animal that is created': ({ pets }) => pets.create(rex, { keyId: 'key_a', name: 'once', fingerprint: 'x' }),
  'an animal that is updated': ({ pets }) => pets.update(1n, { name: 'Max', categoryId: 2n, status: 'sold' }),
  'an animal that is removed': ({ pets }) => pets.remove(1n),
  'an order that is placed': ({ orders }) =>
    orders.place({ petId: 1n }, { keyId: 'key_a', name: 'once', fingerprint: 'x' }),
  'an order that is closed': ({ orders }) => orders.update(1n, { status: 'completed' }),
  'an import': ({ imports }) =>
    imports.add([rex, rex], () => ({
      key: { keyId: 'key_a', name: 'file', fingerprint: 'x' },
      before: undefined,
      body: '{}',
    })),
})) {
  test(`sqlite: ${what} without its event is not on disk either`, async (t) => {
    const { storage, raw } = await opened(t)
    await storage.pets.create(rex)
    await storage.pets.create(rex)
    await storage.orders.place({ petId: 2n })
    const before = contentOf(raw)
    // The last event of the write: that of an order comes after the one of its animal.
    const last = what.startsWith('an order') ? "WHEN NEW.type LIKE 'order.%'" : ''
    raw.exec(`CREATE TRIGGER no_event BEFORE INSERT ON events ${last} BEGIN SELECT RAISE(ABORT, 'no'); END`)

    await assert.rejects(write(storage))

    assert.deepEqual(contentOf(raw), before)
  })
}

test('sqlite: event ids that were rolled back are assigned again', (t) => {
  const { db } = migrated(t)
  const commit = groupCommit(db)
  commit([['createKey', keyWith('a')]])
  const createPet: WriteRequest = ['createPet', { pet: rex, at: 0 }]

  commit([createPet, createPet, ['createKey', keyWith('a')], createPet])

  const rows = db.prepare('SELECT id, subject FROM events ORDER BY id').all() as { id: bigint; subject: bigint }[]
  assert.deepEqual(
    rows.map(({ id, subject }) => [id, subject]),
    [
      [1n, 1n],
      [2n, 2n],
      [3n, 3n],
    ],
  )
})

test('sqlite: an animal and its event are one commit, and so is a group of orders', (t) => {
  const { db, path } = migrated(t)
  const commit = groupCommit(db)
  const before = commitsInLog(path)

  commit(Array.from({ length: 20 }, (): WriteRequest => ['createPet', { pet: rex, at: 0 }]))
  commit(
    Array.from(
      { length: 20 },
      (_none, index): WriteRequest => ['placeOrder', { order: { petId: BigInt(index + 1) }, at: 0 }],
    ),
  )

  assert.equal(commitsInLog(path) - before, 2)
  assert.deepEqual([count(db, 'orders'), count(db, 'events')], [20, 60])
})

/** All that a database holds. */
function contentOf(db: DatabaseSync): unknown {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${String(name)}`).all()])
}

function codeOf(result: WriteResult): number | undefined {
  return 'failure' in result ? result.failure.sqliteCode : undefined
}
