import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { NewPet } from '../../src/contract/pet.ts'
import type { InventoryCursor } from '../../src/inventory/inventory-page.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { inventory, inventoryById } from '../../src/storage/postgres/ports/inventory.ts'
import { setSql } from '../../src/storage/postgres/connection/settings.ts'
import { readerSettings } from '../../src/storage/postgres/reads/readers.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { inventoryByIdSql, inventorySql } from '../../src/storage/sqlite/ports/inventory.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres } from '../support/engines.ts'
import { runAll } from '../support/postgres-databases.ts'

const nothing = { total: 0n, available: 0n, pending: 0n, sold: 0n, none: 0n }

for (const engine of engines) {
  test(`${engine.name}: the inventory of an empty shop is all zeros`, async (t) => {
    const { pets, categories } = await engine.open(t)
    await categories.put({ id: 1n, name: 'Dogs' })

    assert.deepEqual(await pets.inventory(20), { ...nothing, categories: [], others: 0n })
  })

  test(`${engine.name}: the largest categories come first, of equal ones the lower id, with their names`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage, { [String(int64Max)]: 2, 7: 3, 5: 1, [String(int64Min)]: 2, 0: 2 })
    await storage.categories.put({ id: 7n, name: 'Dogs' })
    await storage.categories.put({ id: 9n, name: 'Fish' })

    const { categories, others, total } = await storage.pets.inventory(4)

    const small = { ...nothing, total: 2n, none: 2n }
    assert.deepEqual(categories, [
      { ...nothing, id: 7n, name: 'Dogs', total: 3n, none: 3n },
      { ...small, id: int64Min },
      { ...small, id: 0n },
      { ...small, id: int64Max },
    ])
    assert.deepEqual([total, others], [10n, 1n])
  })

  test(`${engine.name}: pages of an inventory have every category with animals once, whatever the page size`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage, { [String(int64Max)]: 2, 7: 3, 5: 1, [String(int64Min)]: 2, 0: 2, 8: 1, [-4]: 1 })
    const expected = [7n, int64Min, 0n, int64Max, -4n, 5n, 8n]

    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const ids: bigint[] = []
      let pages = 0
      for (let after: InventoryCursor | undefined, isEnd = false; !isEnd; pages++) {
        const page = await storage.pets.inventory(limit, after)
        const listed = page.categories.reduce((sum, { total }) => sum + total, 0n)
        assert.equal(page.others, 12n - listed)
        ids.push(...page.categories.map(({ id }) => id))
        after = page.next
        isEnd = after === undefined
      }
      assert.deepEqual(ids, expected)
      assert.equal(pages, Math.ceil(expected.length / limit))
    }
  })

  test(`${engine.name}: a page of an inventory goes on though the category before it is gone`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage, { 1: 3, 2: 2, 3: 1 })
    const { next } = await storage.pets.inventory(2)
    for (const id of [4n, 5n]) await storage.pets.remove(id)

    const { categories } = await storage.pets.inventory(2, next)

    assert.deepEqual(
      categories.map(({ id }) => id),
      [3n],
    )
  })

  test(`${engine.name}: the inventory of given categories keeps their order and has zeros for those without animals`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage, { [String(int64Min)]: 2, 7: 1 })
    await storage.pets.remove(1n)
    const asked = [9n, 7n, int64Min].map((id) => ({ id, name: `Named ${id}` }))

    const inventory = await storage.pets.inventoryOf(asked)

    assert.deepEqual(inventory, {
      ...nothing,
      total: 2n,
      none: 2n,
      categories: [
        { ...nothing, ...asked[0] },
        { ...nothing, ...asked[1] },
        { ...nothing, ...asked[2], total: 2n, none: 2n },
      ],
      others: 0n,
    })
    assert.deepEqual(await storage.pets.inventoryOf([]), {
      ...nothing,
      total: 2n,
      none: 2n,
      categories: [],
      others: 2n,
    })
  })

  test(`${engine.name}: a category without animals is not in the inventory`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Rex', categoryId: 1n, status: 'sold' })
    await pets.create({ name: 'Tom', categoryId: 2n })
    await pets.create({ name: 'Mia', categoryId: 3n })

    await pets.update(1n, { categoryId: 3n })
    await pets.remove(2n)

    assert.deepEqual(await pets.inventory(1), {
      ...nothing,
      total: 2n,
      sold: 1n,
      none: 1n,
      categories: [{ ...nothing, id: 3n, total: 2n, sold: 1n, none: 1n }],
      others: 0n,
    })
  })

  test(`${engine.name}: pages of an inventory by id have every category with a name or animals once`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage, { [String(int64Max)]: 2, 7: 3, 5: 1, [String(int64Min)]: 1, 6: 1 })
    await storage.pets.remove(2n)
    await storage.pets.update(3n, { status: 'sold' })
    for (const [id, name] of [
      [int64Min, 'First'],
      [-4n, 'Fish'],
      [7n, 'Dogs'],
      [8n, 'Cats'],
    ] as const) {
      await storage.categories.put({ id, name })
    }
    const { pets } = storage
    const expected = [
      { ...nothing, id: int64Min, name: 'First', total: 1n, none: 1n },
      { ...nothing, id: -4n, name: 'Fish' },
      { ...nothing, id: 5n, total: 1n, none: 1n },
      { ...nothing, id: 7n, name: 'Dogs', total: 3n, none: 2n, sold: 1n },
      { ...nothing, id: 8n, name: 'Cats' },
      { ...nothing, id: int64Max, total: 2n, none: 2n },
    ]

    for (const limit of [1, 2, 5, 6, 7]) {
      const listed = []
      let pages = 0
      for (let after: bigint | undefined, isEnd = false; !isEnd; pages++) {
        const { categories, next, others, ...counts } = await pets.inventoryById(limit, after)
        assert.deepEqual(counts, { ...nothing, total: 7n, none: 6n, sold: 1n })
        assert.equal(others, 7n - categories.reduce((sum, { total }) => sum + total, 0n))
        listed.push(...categories)
        after = next
        isEnd = after === undefined
      }
      assert.deepEqual(listed, expected)
      assert.equal(pages, Math.ceil(expected.length / limit))
    }
    assert.deepEqual((await pets.inventoryById(20, int64Max)).categories, [])
  })

  test(`${engine.name}: the inventory by id of an empty shop is all zeros`, async (t) => {
    const { pets } = await engine.open(t)

    assert.deepEqual(await pets.inventoryById(20), { ...nothing, categories: [], others: 0n })
  })

  test(`${engine.name}: an inventory shows one moment: a moved animal is counted once`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage, { 1: 5, 2: 5 })
    const there = { categoryId: 2n, status: 'sold' } as const
    const back = { categoryId: 1n, status: null }

    for (let times = 0; times < 60; times++) {
      const moves = [1n, 2n, 3n].map((id) => storage.pets.update(id, times % 2 === 0 ? there : back))
      const afterEach = moves.map((move) => move.then(() => storage.pets.inventory(1)))
      for (const inventory of await Promise.all([storage.pets.inventory(1), ...afterEach])) {
        const { available, pending, sold, none, categories, others, total } = inventory
        assert.deepEqual([total, available + pending + sold + none], [10n, 10n])
        assert.equal((categories[0]?.total ?? 0n) + others, 10n)
        assert.equal(sold, (categories[0]?.id === 2n ? categories[0].total : others) - 5n)
      }
    }
  })
}

test('sqlite: an index serves the largest categories', async () => {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')

  const plan = db.prepare(`EXPLAIN QUERY PLAN ${inventorySql}`).all(1n, 5n, 20)

  const reads = plan.map(({ detail }) => String(detail)).filter((detail) => /^(SCAN|SEARCH) /.test(detail))
  assert.deepEqual(reads, [
    'SEARCH category_counts USING INDEX category_counts_by_total (total=? AND category_id>?)',
    'SEARCH category_counts USING INDEX category_counts_by_total (total>? AND total<?)',
    'SCAN totals',
    'SCAN largest LEFT-JOIN',
    'SEARCH categories USING PRIMARY KEY (id=?) LEFT-JOIN',
  ])
  db.close()
})

test('sqlite: the primary keys serve the categories by id', async () => {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')

  const plan = db.prepare(`EXPLAIN QUERY PLAN ${inventoryByIdSql}`).all(1n, 5n, 20)

  const reads = plan.map(({ detail }) => String(detail)).filter((detail) => /^(SCAN|SEARCH) /.test(detail))
  assert.deepEqual(reads, [
    'SEARCH categories USING PRIMARY KEY (id>?)',
    'SEARCH category_counts USING PRIMARY KEY (category_id>?)',
    'SCAN totals',
    'SCAN listed LEFT-JOIN',
    'SEARCH categories USING PRIMARY KEY (id=?) LEFT-JOIN',
    'SEARCH counts USING PRIMARY KEY (category_id=?) LEFT-JOIN',
  ])
  db.close()
})

test('postgres: an inventory reads no more categories than it returns', async (t) => {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const pets = Array.from({ length: 2_000 }, (_none, index): NewPet => ({ name: 'x', categoryId: BigInt(index) }))
  await storage.imports.add(pets)

  for (const [{ text }, values, index] of [
    // Far down a list of categories of the same size.
    [inventory, ['1', '1900', '20'], /category_counts_by_total/],
    [inventoryById, ['1900', '1900', '20'], /category_counts_pkey/],
  ] as const) {
    const placed = values.reduce((sql, value, nth) => sql.replaceAll(`$${nth + 1}`, value), text)
    const explain = `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${placed}`
    const [, lines = []] = await runAll(url, [setSql(readerSettings, 'session'), explain])

    const plan = lines.join('\n')
    assert.match(plan, index)
    const rows = [...plan.matchAll(/actual rows=([0-9.]+) loops=([0-9]+)/g)].map(([, each, loops]) => +each! * +loops!)
    assert.ok(Math.max(...rows) <= 21, plan)
  }
})

/** Adds animals without a status: how many to each category. */
async function stock({ imports }: Storage, counts: Record<string, number>): Promise<void> {
  const pets = Object.entries(counts).flatMap(([categoryId, count]) =>
    Array.from({ length: count }, () => ({ name: 'Rex', categoryId: BigInt(categoryId) })),
  )
  await imports.add(pets)
}
