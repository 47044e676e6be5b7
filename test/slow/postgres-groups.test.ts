import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import type { PetStoreError } from '../../src/inventory/errors.ts'
import { counterNames } from '../../src/inventory/tables.ts'
import type { Statement } from '../../src/storage/postgres/connection/statement.ts'
import * as changes from '../../src/storage/postgres/rules/change-statements.ts'
import { isCounter } from '../../src/storage/postgres/schema/counters.ts'
import { counts, countMoves } from '../../src/storage/postgres/schema/counts.ts'
import * as facts from '../../src/storage/postgres/rules/fact-statements.ts'
import { maintenanceWrites } from '../../src/storage/postgres/writes/maintenance-writes.ts'
import type { Batch } from '../../src/storage/postgres/writes/batch.ts'
import { lockCounters } from '../../src/storage/postgres/writes/transaction.ts'
import { setSql } from '../../src/storage/postgres/connection/settings.ts'
import { writerSettings } from '../../src/storage/postgres/writes/writer.ts'
import { connected, isUnavailable, postgresInstances } from '../support/postgres-instances.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
/** In every group on a connection that has written before: what comes after the counters were locked. */
const afterLock = 'add_pets'

const { newDatabase, opened, openBehindProxy } = postgresInstances()

test('postgres: if BEGIN fails, nothing of its group is stored', async (t) => {
  const url = await newDatabase()
  const { storage, proxy } = await openBehindProxy(t, url)

  // The statement, or its name: the session has prepared it when it was opened.
  proxy.pass = (bytes) => Buffer.from(bytes.toString('latin1').replace(/begin/gi, 'begix'), 'latin1')
  await Promise.all(Array.from({ length: 5 }, () => assert.rejects(storage.pets.create(rex))))
  proxy.pass = (bytes) => bytes
  const storedMeanwhile = await storage.pets.count({})

  assert.equal(storedMeanwhile, 0n)
  assert.deepEqual(await storage.pets.create(rex), { outcome: 'created', pet: { id: 1n, ...rex } })
})

test('postgres: stored writes of a split group are acknowledged, even if the rest is lost', async (t) => {
  const url = await newDatabase()
  const { storage, proxy } = await openBehindProxy(t, url)
  await storage.pets.create({ ...rex, name: 'before' })

  // Together, the first half, the second half, then each of that.
  let groups = 0
  proxy.watch = (bytes) => {
    if (bytes.includes(afterLock) && ++groups === 5) proxy.cut()
    return true
  }
  const bad = { ...rex, status: 'lost' } as unknown as NewPet
  const results = await Promise.allSettled([
    storage.pets.create({ ...rex, name: 'first' }),
    storage.pets.create({ ...rex, name: 'second' }),
    storage.pets.create(bad),
    storage.pets.create({ ...rex, name: 'last' }),
  ])

  assert.deepEqual(
    results.map((each) => (each.status === 'fulfilled' ? each.value.outcome : isUnavailable(each.reason))),
    ['created', 'created', false, true],
  )
  // Its COMMIT was on its way.
  const last = results.at(-1)
  assert.ok(last?.status === 'rejected' && (last.reason as PetStoreError).mayHaveSucceeded)
  const { items } = await storage.pets.list({}, 20, 0n)
  assert.deepEqual(items.map(({ name }) => name).slice(0, 3), ['before', 'first', 'second'])
})

test('postgres: a thousand concurrent orders are placed in short groups', async (t) => {
  const url = await newDatabase()
  const storage = await opened(t, url)
  const creations = await Promise.all(Array.from({ length: 1_000 }, () => storage.pets.create(rex)))

  const ids = creations.map((creation) => ('pet' in creation ? creation.pet.id : 0n))
  const placements = await Promise.all(ids.map((id) => storage.orders.place({ petId: id })))

  assert.ok(placements.every(({ outcome }) => outcome === 'placed'))
  const admin = await connected(t, url)
  const { rows } = await admin.query('SELECT count(*)::int4 AS orders FROM orders GROUP BY xmin')
  assert.ok((rows as { orders: number }[]).every(({ orders }) => orders <= 250))
})

test('postgres: writes find their rows at once during a long transaction', async (t) => {
  const url = await newDatabase()
  await (await opened(t, url)).pets.create(rex)
  const [long, admin] = [await connected(t, url), await connected(t, url)]
  const statements = [
    lockCounters.text,
    `UPDATE counters SET last = last + 1 WHERE ${isCounter('pets', 'orders', 'events')}`,
    `WITH ${countMoves("SELECT 1::int8 AS category_id, 'available' AS status, 1 AS animals")} SELECT 1`,
    changes.raiseCounters.text.replace(/\$\d/g, '1'),
    counts({}).statement.text,
  ]

  await long.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await long.query('SELECT 1')
  await admin.query(versionsOfCounters(4_000))

  // A statement may look for every counter.
  const maxPages = 8 * counterNames.length
  for (const statement of statements) {
    await admin.query('BEGIN')
    const { rows } = await admin.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`)
    await admin.query('ROLLBACK')
    assert.ok(pagesOf(rows) <= maxPages, `${pagesOf(rows)} pages for ${statement}`)
  }
})

test('postgres: a group finds its rows by their keys, by a plan that was made while there were few', async (t) => {
  const url = await newDatabase()
  await (await opened(t, url)).pets.create(rex)
  const admin = await connected(t, url)
  await admin.query(`${setSql(writerSettings, 'session')}; SET plan_cache_mode = force_generic_plan`)
  const groupStatements = [
    [facts.load.pets, "'{5}', '{7}'"],
    [facts.load.orders, "'{5}', '{7}'"],
    [facts.load.categories, "'{5}'"],
    [facts.petCounts, "'{5}'"],
    [facts.highestCategory, '10000'],
    [facts.responses, "'{key_a}', '{n5}'"],
    [changes.updatePets, "'{5}', '{Max}', '{1}', '{sold}', '{max}'"],
    [changes.remove.pets, "'{5}'"],
    [changes.updateOrders, "'{5}', '{5}', '{completed}', '{0}', '{0}', '{Ada}', '{Saturday}'"],
    [changes.putIdempotencyRecords, "'{key_a}', '{n5}', '{f}', '{a}', '{0}'"],
    [changes.put.categories, "'{5}', '{Dogs}', '{key}'"],
    [changes.remove.categories, "'{5}'"],
    [statementOf(maintenanceWrites.deleteExpiredResponses([{ now: 0 }])), '-1'],
  ] as const
  for (const [{ name, text }, values] of groupStatements) {
    await admin.query(`PREPARE ${name} AS ${text}`)
    await admin.query(`BEGIN; EXECUTE ${name} (${values}); ROLLBACK`)
  }

  await admin.query(`
    INSERT INTO pets SELECT n, 'pet', n, 'pending', 'pet' FROM generate_series(2, 20000) AS n;
    INSERT INTO orders SELECT n, n, 'placed', 0, 0 FROM generate_series(2, 20000) AS n;
    INSERT INTO category_counts SELECT n, 0, 1, 0, 0 FROM generate_series(2, 20000) AS n;
    INSERT INTO categories SELECT n, 'category', 'key' FROM generate_series(2, 20000) AS n;
    INSERT INTO idempotency_records SELECT 'key_a', 'n' || n, 'f', 'a', 0 FROM generate_series(2, 20000) AS n`)

  for (const [{ name, text }, values] of groupStatements) {
    await admin.query('BEGIN')
    const { rows } = await admin.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} (${values})`)
    await admin.query('ROLLBACK')
    assert.ok(pagesOf(rows) < 60, `${pagesOf(rows)} pages for ${text}`)
  }
})

function statementOf({ statements: [first] }: Batch<unknown>): Statement {
  return (first as Batch<unknown>['statements'][number])[0]
}

function pagesOf(rows: unknown[]): number {
  const [{ 'QUERY PLAN': plans }] = rows as [{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }]
  return plans[0].Plan['Shared Hit Blocks'] ?? Number.NaN
}

/** Leaves so many versions of each row that every commit changes, in a moment. */
function versionsOfCounters(count: number): string {
  const newest = 'SELECT ctid FROM category_counts ORDER BY category_id DESC LIMIT 1'
  return `
    SET enable_seqscan = off;
    DO $$ BEGIN FOR nth IN 1..${count} LOOP
      UPDATE counters SET last = last WHERE ${isCounter('pets', 'events')};
      UPDATE category_counts SET sold = sold WHERE ctid = (${newest});
      UPDATE pet_totals SET sold = sold WHERE ctid = (SELECT ctid FROM pet_totals ORDER BY id DESC LIMIT 1);
    END LOOP; END $$`
}
