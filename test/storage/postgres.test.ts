import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { PetStoreError } from '../../src/inventory/errors.ts'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import type { NewPet, PetChange } from '../../src/contract/pet.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { backupStorage } from '../../src/storage/backup.ts'
import { openStorage } from '../../src/storage/open.ts'
import { lists } from '../../src/storage/postgres/reads/lists.ts'
import type { Statement } from '../../src/storage/postgres/connection/statement.ts'
import type { ValueFilter } from '../../src/storage/shared/reads/filters.ts'
import { resourceStatements } from '../../src/storage/postgres/reads/resources.ts'
import type { MemberFilter } from '../../src/inventory/pets.ts'
import { setSql } from '../../src/storage/postgres/connection/settings.ts'
import { readerSettings } from '../../src/storage/postgres/reads/readers.ts'
import { postgres } from '../support/engines.ts'
import { newPostgresDatabase, runAll, runSql } from '../support/postgres-databases.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const till: NewApiKey = { id: 'key_till', name: 'till', permission: 'write', hash: 'hash of till', createdAt: 1_000 }

test('postgres: a group is one transaction', async (t) => {
  const { storage, url } = await opened(t)
  await storage.pets.create(rex)

  const [before] = await runSql(url, 'SELECT xmin::text FROM counters')
  await Promise.all(Array.from({ length: 50 }, () => storage.pets.create(rex)))
  const transactions = await runSql(url, 'SELECT DISTINCT xmin::text FROM pets WHERE id > 1')

  assert.equal(transactions.length, 1)
  assert.notDeepEqual(transactions[0], before)
})

test('postgres: one bad write in a group fails alone, without a gap in the ids', async (t) => {
  const { storage } = await opened(t)
  await storage.keys.create(till)

  const results = await Promise.allSettled([
    storage.pets.create(rex),
    storage.keys.create(till),
    storage.pets.create({ ...rex, status: 'lost' } as unknown as NewPet),
    storage.pets.create(rex),
  ])

  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(
    (await storage.pets.list({}, 20, 0n)).items.map(({ id }) => id),
    [1n, 2n],
  )
})

test('postgres: one bad change in a group fails alone and the rest commit, without a gap in the events', async (t) => {
  const { storage, url } = await opened(t)
  for (let created = 0; created < 4; created++) await storage.pets.create(rex)

  const results = await Promise.allSettled([
    storage.pets.update(1n, { name: 'Max' }),
    storage.pets.update(2n, { status: 'lost' } as unknown as PetChange),
    storage.orders.place({ petId: 3n }),
    storage.pets.remove(4n),
  ])

  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await runSql(url, 'SELECT id::int, type FROM events WHERE id > 4 ORDER BY id'), [
    [5, 'pet.updated'],
    [6, 'pet.updated'],
    [7, 'order.placed'],
    [8, 'pet.deleted'],
  ])
})

test('postgres: writes of a group see what those before them changed', async (t) => {
  const { storage, url } = await opened(t)
  await storage.pets.create(rex)
  await storage.orders.place({ petId: 1n })
  const key = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  const results = await Promise.all([
    storage.orders.update(1n, { status: 'cancelled' }),
    storage.orders.place({ petId: 1n }, key),
    storage.orders.place({ petId: 1n }, key),
    storage.pets.update(1n, { status: 'sold' }),
    storage.orders.update(2n, { status: 'completed' }),
    storage.pets.create(rex, { ...key, name: 'twice' }),
    storage.pets.update(2n, { name: 'Max' }),
    storage.pets.remove(2n),
    storage.pets.remove(1n),
  ])

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['updated', 'placed', 'replayed', 'ordered', 'updated', 'created', 'updated', 'removed', 'removed'],
  )
  assert.deepEqual(await runSql(url, 'SELECT count(DISTINCT xmin::text)::int FROM orders'), [[1]])
  assert.deepEqual(await runSql(url, 'SELECT id::int, status FROM orders ORDER BY id'), [
    [1, 'cancelled'],
    [2, 'completed'],
  ])
  assert.equal(await storage.pets.count({}), 0n)
  assert.deepEqual(await storage.pets.create(rex), { outcome: 'created', pet: { id: 3n, ...rex } })
})

test('postgres: a stored response that cannot be read fails its own replay and no other write', async (t) => {
  const { storage, url } = await opened(t)
  const key = { keyId: 'key_a', name: 'once', fingerprint: 'x' }
  await storage.pets.create(rex, key)
  await runSql(url, "UPDATE idempotency_records SET response = 'not JSON'")

  const results = await Promise.allSettled([storage.pets.create(rex, key), storage.pets.update(1n, { name: 'Max' })])

  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.equal((await storage.pets.find(1n))?.name, 'Max')
})

test('postgres: a constraint violation is a bug, not unavailable', async (t) => {
  const { storage } = await opened(t)
  await storage.keys.create(till)

  await assert.rejects(storage.keys.create(till), (error) => !(error instanceof PetStoreError))
})

test('postgres: a name with NUL is not stored as another name', async (t) => {
  const { storage } = await opened(t)

  await assert.rejects(storage.pets.create({ ...rex, name: 'R\0x' }))

  assert.equal(await storage.pets.count({}), 0n)
  assert.deepEqual(await storage.pets.create(rex), { outcome: 'created', pet: { id: 1n, ...rex } })
})

test('postgres: a stored row that cannot be read fails only the write that needs it', async (t) => {
  const { storage, url } = await opened(t)
  for (const _ of [1, 2]) await storage.pets.create(rex)
  await storage.orders.place({ petId: 1n })
  await runSql(url, `UPDATE orders SET placed_at = ${2n ** 62n}`)

  const [damaged, placed, created] = await Promise.allSettled([
    storage.orders.update(1n, { note: 'Collects on Saturday.' }),
    storage.orders.place({ petId: 2n }),
    storage.pets.create(rex),
  ])

  const { message } = (damaged as PromiseRejectedResult).reason as Error
  assert.equal(message, `The order 1 cannot be read: placed_at, ${2n ** 62n}, is not a time.`)
  assert.deepEqual([placed.status, created.status], ['fulfilled', 'fulfilled'])
  assert.equal((await storage.pets.create(rex)).outcome, 'created')
})

test('postgres: the highest id is not assigned again after its animal is deleted', async (t) => {
  const { storage, url } = await opened(t)
  await storage.pets.create(rex)
  await runSql(url, 'DELETE FROM pets')

  assert.deepEqual(await storage.pets.create(rex), { outcome: 'created', pet: { id: 2n, ...rex } })
})

test('postgres: an idempotency record has the same response as on SQLite', async (t) => {
  const { storage, url } = await opened(t)
  await storage.pets.create({ ...rex, name: 'R"x \\' }, { keyId: 'key_a', name: 'once', fingerprint: 'x' })

  const rows = await runSql(url, 'SELECT response FROM idempotency_records')

  assert.deepEqual(rows, [['{"id":1,"name":"R\\"x \\\\","categoryId":1,"status":"available"}']])
})

test('postgres: category_counts agrees with count(*) after creates and imports', async (t) => {
  const { storage, url } = await opened(t)
  const statuses = ['available', 'pending', 'sold', undefined] as const
  const animals = Array.from({ length: 200 }, (_none, index): NewPet => {
    const status = statuses[index % 4]
    return { name: 'pet', categoryId: BigInt(index % 7) - 3n, ...(status !== undefined && { status }) }
  })

  await Promise.all(animals.map((pet) => storage.pets.create(pet)))
  await storage.imports.add(animals)

  const columns = ['available', 'pending', 'sold', 'none']
  const sums = columns.map((name) => `count(*) FILTER (WHERE coalesce(status, 'none') = '${name}')`).join(', ')
  const grouped = `SELECT category_id, ${sums}, count(*) FROM pets GROUP BY 1 ORDER BY 1`
  const kept = await runSql(url, `SELECT category_id, ${columns.join(', ')}, total FROM category_counts ORDER BY 1`)
  assert.deepEqual(kept, await runSql(url, grouped))
})

interface ListCase {
  index: string
  statement: Statement
  /** Types and values of the parameters. */
  types: string
  values: string
}

const both = ['id', '-id'] as const
const petLists: [index: string, filter: MemberFilter, types: string, values: string][] = [
  ['pets_pkey', {}, 'int8, int8', '99000, 21'],
  ['pets_by_status', { status: 'sold' }, 'text, int8, int8', "'sold', 5, 21"],
  ['pets_without_status', { status: 'none' }, 'int8, int8', '99000, 21'],
  ['pets_by_category', { categoryId: 1n }, 'int8, int8, int8', '1, 99990, 21'],
  ['pets_by_category_and_status', { categoryId: 1n, status: 'sold' }, 'int8, text, int8, int8', "1, 'sold', 5, 21"],
  ['pets_by_category_without_status', { categoryId: 1n, status: 'none' }, 'int8, int8, int8', '1, 99000, 21'],
]
const ordersLists: [index: string, filter: ValueFilter, types: string, values: string][] = [
  ['orders_pkey', {}, 'int8, int8', '99000, 21'],
  ['orders_by_status', { status: 'cancelled' }, 'text, int8, int8', "'cancelled', 5, 21"],
  ['orders_by_pet', { petId: 1n }, 'int8, int8, int8', '1, 99990, 21'],
  ['orders_by_pet_and_status', { petId: 1n, status: 'cancelled' }, 'int8, text, int8, int8', "1, 'cancelled', 5, 21"],
]
const listCases: ListCase[] = both.flatMap((sort) => [
  ...petLists.map(([index, filter, types, values]) => ({
    index,
    statement: lists.inline[sort](filter).statement,
    types,
    values,
  })),
  ...ordersLists.map(([index, filter, types, values]) => ({
    index,
    statement: resourceStatements.orders.lists[sort](filter).statement,
    types,
    values,
  })),
])

test('postgres: a page of rare animals or orders costs no more than any other', async (t) => {
  const { url } = await opened(t)
  await runSql(
    url,
    `INSERT INTO pets SELECT n, 'pet', n % 50, CASE WHEN n <= 1000 THEN 'sold' WHEN n % 9 > 0 THEN 'available' END, 'pet'
       FROM generate_series(1, 100000) AS n;
     INSERT INTO orders (id, pet_id, status, placed_at, updated_at)
       SELECT n, n % 50, CASE WHEN n <= 1000 THEN 'cancelled' ELSE 'completed' END, 0, 0
       FROM generate_series(1, 100000) AS n`,
  )
  // The first read of a new page also writes notes on it, on pages that count.
  await runSql(url, 'VACUUM (ANALYZE) pets, orders')

  for (const { index, statement, types, values } of listCases) {
    // Behind a pooler, nothing is set for a session and nothing is prepared: each read is planned for its values.
    for (const [where, settings] of [
      ['on a session', setSql(readerSettings, 'session')],
      ['behind a pooler', 'SET plan_cache_mode = force_custom_plan'],
    ] as const) {
      await t.test(`${statement.name}, ${where}`, async () => {
        const [, , plan] = await runAll(url, [
          settings,
          `PREPARE question (${types}) AS ${statement.text}`,
          `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE question (${values})`,
        ])
        const plans = (plan ?? []).join('\n')

        assert.match(plans, new RegExp(`Index Scan (Backward )?using ${index} on (pets|orders)`))
        assert.doesNotMatch(plans, /Sort|Seq Scan|Rows Removed/)
        const [buffers = ''] = /Buffers: shared.*/.exec(plans) ?? []
        const pages = buffers.matchAll(/(?:hit|read)=(\d+)/g).reduce((sum, [, count]) => sum + Number(count), 0)
        assert.ok(pages > 0 && pages < 60, plans)
      })
    }
  }
})

test('postgres: a key revoked by another instance is refused within a second', async (t) => {
  const { storage, url } = await opened(t)
  const other = await openStorage(url)
  t.after(() => other.close())
  await storage.keys.create(till)
  await other.keys.find(till.hash)

  await storage.keys.revoke(till.id, 5_000)
  await wait(1_100)

  assert.equal(other.keys.recall(till.hash), undefined)
  assert.equal((await other.keys.find(till.hash))?.revokedAt, 5_000)
})

test('postgres: concurrent requests look up a key once a second', async (t) => {
  const { storage, url } = await opened(t)
  await storage.keys.create(till)
  const find = () => storage.keys.find(till.hash)

  // On a busy machine the second may be over too early: again.
  for (let isInTime = false; !isInTime; ) {
    await runSql(url, "UPDATE api_keys SET name = 'till'")
    await wait(1_100)
    await find()
    const start = performance.now()
    await runSql(url, "UPDATE api_keys SET name = 'changed by another program'")
    const found = await Promise.all(Array.from({ length: 100 }, find))
    isInTime = performance.now() - start < 900
    await wait(1_100)
    const later = await find()

    if (isInTime) assert.ok(found.every((key) => key?.name === 'till'))
    assert.equal(later?.name, 'changed by another program')
  }
})

test('postgres: a key created by another instance works at once, even if it was refused before', async (t) => {
  const { storage, url } = await opened(t)
  const other = await openStorage(url)
  t.after(() => other.close())
  assert.equal(await other.keys.find(till.hash), undefined)

  await storage.keys.create(till)

  assert.equal((await other.keys.find(till.hash))?.id, till.id)
})

test('postgres: a backup is refused with the command to use, without the password', async () => {
  await assert.rejects(backupStorage('postgres://rex:secret@db.example/petstore', 'animals.dump'), {
    name: 'StorageError',
    message:
      'PostgreSQL makes its own backups: as the owner of the tables, run pg_dump --format=custom --file=animals.dump ' +
      "'postgres://rex@db.example/petstore'.",
  })
})

test('postgres: a database that is not UTF-8 is refused', async () => {
  const url = await newPostgresDatabase('SQL_ASCII')

  await assert.rejects(openStorage(url), { name: 'StorageError', message: /SQL_ASCII, but needs UTF8/ })
})

/** The engine and the URL of its database, for what other programs do to it. */
async function opened(t: TestContext): Promise<{ storage: Storage; url: string }> {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  return { storage, url }
}
