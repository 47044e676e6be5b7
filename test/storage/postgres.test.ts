import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import { backupStorage } from '../../src/storage/backup.ts'
import { openStorage } from '../../src/storage/open.ts'
import { lists } from '../../src/storage/postgres/reads/lists.ts'
import type { Statement } from '../../src/storage/postgres/connection/statement.ts'
import type { ValueFilter } from '../../src/storage/shared/reads/filters.ts'
import { resourceStatements } from '../../src/storage/postgres/reads/resources.ts'
import type { MemberFilter } from '../../src/inventory/pets.ts'
import { setSql } from '../../src/storage/postgres/connection/settings.ts'
import { readerSettings } from '../../src/storage/postgres/reads/readers.ts'
import { newPostgresDatabase, runAll, runSql } from '../support/postgres-databases.ts'
import { opened, rex } from '../support/postgres-groups.ts'

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
