import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { columnsOf, keyOf, kinds } from '../../src/inventory/snapshot.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { allRows, openSource, rowsIn } from '../support/snapshot.ts'
import { fillShop } from '../support/awkward-shop.ts'
import { runSql } from '../support/postgres-databases.ts'

/** Tables and columns that hold nothing that a copy needs, each with the reason. */
const notCopied = new Set([
  'category_counts', // Made from pets.
  'pet_totals', // The same by status alone; on SQLite also numbers for caches in memory.
  'categories.name_key', // Made from the names of categories.
  'pet_words', // Made from the names of pets; four tables beside it, and a view.
  'pet_words_config',
  'pet_words_data',
  'pet_words_docsize',
  'pet_words_idx',
  'pet_word_list',
  'pets.words', // The same on another engine.
  'sqlite_sequence', // What `counters` is on this engine.
  'petstore_migrations', // The schema, which a copy has already.
  'lineages.server', // That of the source means nothing elsewhere.
  'delivery_lease', // A copy disables all webhooks: there is nothing to go on with.
  'delivery_positions',
  'delivery_tries',
  'api_keys.number', // The order of storing, which a copy repeats.
])

for (const [engine, columns] of [
  [
    sqlite,
    `SELECT tables.name AS "table", columns.name AS "column"
       FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
  ],
  [postgres, "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"],
] as const) {
  test(`${engine.name}: every column of every table is copied, except those listed here`, async (t) => {
    const url = await engine.url(t)
    await (await openStorage(url)).close()

    const found = await allRowsOf(url, columns)

    const names = found.filter(([table]) => !notCopied.has(table)).map(([table, column]) => `${table}.${column}`)
    const copied = Object.entries(columnsOf).flatMap(([kind, each]) => each.map((column) => `${kind}.${column}`))
    const expected = engine === sqlite ? copied.filter((name) => !name.startsWith('counters.')) : copied
    assert.deepEqual(names.filter((name) => !notCopied.has(name)).toSorted(), expected.toSorted())
  })
}

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: pages of a snapshot skip and repeat no row`, async (t) => {
    const url = await engine.url(t)
    await fillShop(url)
    const snapshot = await openSource(url)
    t.after(() => snapshot.close())
    const all = await allRows(snapshot)

    for (const kind of kinds) {
      const paged = [...(await snapshot.rows(kind, 2))]
      for (let last = paged.at(-1); last !== undefined; ) {
        const page = await snapshot.rows(kind, 2, keyOf(kind, last))
        paged.push(...page)
        last = page.at(-1)
      }
      assert.ok(paged.length >= (['properties', 'lineages', 'day_counts'].includes(kind) ? 1 : 2), kind)
      assert.deepEqual(paged, all[kind])
      assert.equal(await snapshot.count(kind), paged.length)
    }
  })

  test(`${engine.name}: a snapshot shows the moment of opening`, async (t) => {
    const url = await engine.url(t)
    await fillShop(url)
    const snapshot = await openSource(url)
    t.after(() => snapshot.close())
    const before = await allRows(snapshot)
    const storage = await openStorage(url)
    await storage.pets.create({ name: 'late', categoryId: 1n })
    await storage.close()

    assert.deepEqual(await allRows(snapshot), before)
    assert.equal((await rowsIn(url)).pets.length, before.pets.length + 1)
  })

  test(`${engine.name}: a snapshot has the id counters, also before the first id`, async (t) => {
    const url = await engine.url(t)
    await (await openStorage(url)).close()
    const fresh = await rowsIn(url)
    await fillShop(url)

    const { counters, pets } = await rowsIn(url)

    assert.deepEqual(fresh.counters, [
      ['events', 0n],
      ['import_requests', 0n],
      ['imports', 0n],
      ['invitations', 0n],
      ['orders', 0n],
      ['pets', 0n],
      ['webhooks', 0n],
    ])
    assert.deepEqual(counters.at(-2), ['pets', (pets.at(-1)?.[0] as bigint) + 1n], 'the last animal was removed')
  })

  test(`${engine.name}: categories are read from the lowest int64 on`, async (t) => {
    const url = await engine.url(t)
    await fillShop(url)

    const { categories } = await rowsIn(url)

    assert.deepEqual(
      categories.map(([id]) => id),
      [int64Min, -1n, 0n, 7n, int64Max],
    )
  })
}

async function allRowsOf(url: string, sql: string): Promise<[string, string][]> {
  if (!url.startsWith('sqlite:')) return (await runSql(url, sql)) as [string, string][]
  const db = new DatabaseSync(url.slice('sqlite:'.length))
  const rows = db.prepare(sql).all() as { table: string; column: string }[]
  db.close()
  return rows.map(({ table, column }) => [table, column])
}
