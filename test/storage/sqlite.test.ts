import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { encodePet } from '../../src/contract/pet.ts'
import { entityTag } from '../../src/inventory/precondition.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { type OpenStorage, openStorage } from '../../src/storage/open.ts'
import { prepareResource } from '../../src/storage/sqlite/reads/resources.ts'
import { inlineCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { openForReading, openForWriting, pragma } from '../../src/storage/sqlite/connection/database.ts'
import { sqliteEvents } from '../../src/storage/sqlite/ports/events.ts'
import { prepareCounts } from '../../src/storage/sqlite/schema/counts.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { sqlitePets } from '../../src/storage/sqlite/ports/pets.ts'
import { defaultBudget } from '../../src/storage/shared/reads/find-by-name.ts'
import { prepareLists } from '../../src/storage/sqlite/reads/lists.ts'
import type { HoldState } from '../../src/storage/sqlite/reads/held-states.ts'
import { inlineSearcher } from '../../src/storage/sqlite/reads/searcher.ts'
import { prepareStoreChange } from '../../src/storage/sqlite/rules/changes.ts'
import { sqliteCode } from '../../src/storage/sqlite/connection/errors.ts'
import { sqliteWriter, type Writer } from '../../src/storage/sqlite/writes/writer.ts'
import { groupCommit, type WriteRequest, type WriteResult } from '../../src/storage/sqlite/writes/writes.ts'
import { temporaryFolder } from '../support/engines.ts'
import { assertWithin } from '../support/promised-time.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

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

const statements = statementsOfReads()

test('sqlite: the statements that are tested here read every table', () => {
  const tables = ['pets', 'pet_totals', 'category_counts', 'orders', 'categories', 'events']

  const unread = tables.filter((table) => !statements.some((sql) => new RegExp(`FROM ${table}\\b`).test(sql)))

  assert.deepEqual(unread, [])
})

for (const sql of statements) {
  test(`sqlite: an index serves, in order, ${sql}`, (t) => {
    const { db } = migrated(t)

    const plan = planOf(db, sql)

    // A page of all categories begins at the first one: that scan ends with the page.
    if (sql !== 'SELECT id, name FROM categories ORDER BY id LIMIT (? + 0)')
      assert.doesNotMatch(plan, /SCAN (pets|category_counts|orders|categories|events)\b/)
    // The categories of an inventory are found by an index, at most 100 of them; only those are then sorted.
    if (!/AS (largest|listed)/.test(sql)) assert.doesNotMatch(plan, /TEMP B-TREE/)
  })
}

// `IN` with three values or more in a CHECK or an index would build one for each row: a fifth of the cost of a create.
test('sqlite: a row is stored without a temporary table', (t) => {
  const { db } = migrated(t)
  const { listening, statements: stored } = listenTo(db)
  prepareStoreChange(listening, prepareCounts(listening))

  const building = stored.filter((sql) => {
    const steps = db.prepare(`EXPLAIN ${sql}`).all() as { opcode: string }[]
    return steps.some(({ opcode }) => opcode === 'OpenEphemeral')
  })

  assert.ok(stored.length > 10)
  assert.deepEqual(building, [])
})

test('sqlite: an index answers whether an animal has an open order', (t) => {
  const { db } = migrated(t)

  const plan = planOf(db, "SELECT 1 FROM orders WHERE pet_id = ? AND status = 'placed'")

  assert.match(plan, /SEARCH orders USING COVERING INDEX/)
})

test('sqlite: the table itself refuses a second open order for an animal', (t) => {
  const { db } = migrated(t)
  const insert = db.prepare('INSERT INTO orders (pet_id, status, placed_at, updated_at) VALUES (1, ?, 0, 0)')
  for (const status of ['cancelled', 'cancelled', 'completed', 'placed']) insert.run(status)

  assert.throws(() => insert.run('placed'), /UNIQUE/)
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

test('sqlite: an index serves the look-up of a key by its hash', (t) => {
  const { db } = migrated(t)

  const [step] = db.prepare('EXPLAIN QUERY PLAN SELECT id FROM api_keys WHERE hash = ?').all() as { detail: string }[]

  assert.match(step?.detail ?? '', /SEARCH api_keys USING .*INDEX/)
})

/** A connection of one's own to an up-to-date database, and a second one that plays another program. */
function migrated(t: TestContext): { db: DatabaseSync; raw: DatabaseSync; path: string } {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = openForWriting(path)
  migrate(db, path)
  const raw = new DatabaseSync(path)
  t.after(() => {
    raw.close()
    db.close()
  })
  return { db, raw, path }
}

/** The engine on a file, and a connection that plays another program. */
async function opened(
  t: TestContext,
  options: { lockTimeoutMs?: number } = {},
): Promise<{ storage: Storage; raw: DatabaseSync; path: string }> {
  const path = join(temporaryFolder(t), 'petstore.db')
  const storage = await openStorage(`sqlite:${path}`, options)
  const raw = new DatabaseSync(path)
  t.after(async () => {
    if (raw.isOpen) raw.close()
    await storage.close()
  })
  return { storage, raw, path }
}

/** The SQL that the ports prepare for their reads of the shop, statements from the connection they are given. */
function statementsOfReads(): string[] {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')
  const { listening, statements } = listenTo(db)
  const writer = writerOf(db)
  const hold: HoldState = (read) => read(listening)
  const searcher = inlineSearcher(listening, defaultBudget, hold)
  sqlitePets({ reader: listening, writer, clock: () => 0, searcher, readAtEndOfTick: (read) => read(), hold })
  const { lists: orderLists } = prepareResource(listening, 'orders')
  prepareResource(listening, 'categories')
  sqliteEvents(listening, writer, hold)
  // Lists are prepared when they are first read.
  for (const sort of ['id', '-id'] as const) {
    for (const status of [undefined, 'sold', 'none'] as const) {
      for (const categoryId of [undefined, 1n]) {
        prepareLists(listening)[sort]({ ...(status && { status }), ...(categoryId && { categoryId }) })
      }
    }
    for (const status of [undefined, 'placed'] as const) {
      for (const petId of [undefined, 1n]) {
        orderLists[sort]({ status, petId })
      }
    }
  }
  return [...new Set(statements)]
}

/** The same connection, and the statements that are prepared with it. */
function listenTo(db: DatabaseSync): { listening: DatabaseSync; statements: string[] } {
  const statements: string[] = []
  const listening = new Proxy(db, {
    get(target, member) {
      if (member !== 'prepare') return Reflect.get(target, member)
      return (sql: string) => {
        statements.push(sql)
        return target.prepare(sql)
      }
    },
  })
  return { listening, statements }
}

function planOf(db: DatabaseSync, sql: string): string {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
  return steps.map(({ detail }) => detail).join('\n')
}

/** All that a database holds. */
function contentOf(db: DatabaseSync): unknown {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${String(name)}`).all()])
}

function writerOf(db: DatabaseSync): Writer {
  return sqliteWriter(inlineCommitter(db))
}

function keyWith(name: string): NewApiKey {
  return { id: `key_${name}`, name, permission: 'write', hash: `hash ${name}`, createdAt: 0 }
}

function codeOf(result: WriteResult): number | undefined {
  return 'failure' in result ? result.failure.sqliteCode : undefined
}

function count(db: DatabaseSync, table: string): number {
  return Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
}

// A frame of the log that ends a commit tells the size of the database (https://sqlite.org/fileformat.html#walformat).
function commitsInLog(path: string): number {
  const log = readFileSync(`${path}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at < log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits++
  return commits
}
