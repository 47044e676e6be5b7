import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Inventory } from '../../src/contract/inventory.ts'
import type { NewPet, Pet, PetStatus } from '../../src/contract/pet.ts'
import type { PetFilter } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { copyStorage } from '../../src/storage/copy/copy.ts'
import { counts } from '../../src/storage/postgres/schema/counts.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { groupCommit, type WriteRequest } from '../../src/storage/sqlite/writes/writes.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite, temporaryFolder } from '../support/engines.ts'
import { runSql } from '../support/postgres-databases.ts'

const statuses = ['available', 'pending', 'sold', undefined] as const
const statusFilters = [undefined, 'available', 'pending', 'sold', 'none'] as const
const categories = [int64Min, -1n, 0n, 1n, 2n, int64Max]
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

for (const engine of engines) {
  test(`${engine.name}: counts agree with the pets after concurrent writes of every kind`, async (t) => {
    const storage = await engine.open(t)
    const { pets, orders, imports } = storage
    await imports.add(Array.from({ length: 100 }, (_none, index) => petNumber(index)))
    await assertCountsAgree(storage)

    const ids = Array.from({ length: 100 }, (_none, index) => BigInt(index + 1))
    await Promise.all([
      ...ids.map((_id, index) => pets.create(petNumber(index * 7))),
      ...ids.filter((id) => id % 3n === 0n).map((id) => pets.update(id, changeOf(id))),
      ...ids.filter((id) => id % 5n === 0n).map((id) => pets.remove(id)),
      ...ids.filter((id) => id % 4n === 1n).map((id) => orders.place({ petId: id })),
    ])
    await assertCountsAgree(storage)

    const { items } = await orders.list({ status: 'placed' }, 1_000, 0n)
    assert.ok(items.length > 5, 'no order was placed')
    await Promise.all(items.map(({ id }) => orders.update(id, { status: id % 2n === 0n ? 'completed' : 'cancelled' })))
    await Promise.all(ids.map((id) => pets.remove(id)))
    await assertCountsAgree(storage)
  })

  test(`${engine.name}: refused writes change no count`, async (t) => {
    const storage = await engine.open(t)
    const { pets, orders } = storage
    const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }
    await pets.create(rex, idempotencyKey)
    await orders.place({ petId: 1n })

    const results = await Promise.all([
      pets.create(rex, idempotencyKey),
      pets.create(rex, { ...idempotencyKey, fingerprint: 'y' }),
      pets.update(1n, { status: 'sold' }),
      pets.remove(1n),
      pets.remove(2n),
      orders.place({ petId: 1n }),
      orders.update(2n, { status: 'completed' }),
    ])

    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['replayed', 'mismatch', 'ordered', 'ordered', 'missing', 'taken', 'missing'],
    )
    await assertCountsAgree(storage)
  })
}

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: a category without animals leaves no counts, so a list of categories passes none`, async (t) => {
    const url = await engine.url(t)
    const storage = await openStorage(url)
    const { pets } = storage
    await storage.imports.add([1n, 2n, 3n, 4n, 4n, 5n, 6n].map((categoryId) => ({ name: 'Rex', categoryId })))

    await Promise.all([1n, 2n, 4n].map((id) => pets.remove(id)))
    await pets.update(3n, { categoryId: 7n })
    await pets.changeMany({ filter: { categoryId: 5n }, change: 'delete' })
    await pets.update(7n, { status: 'sold' })
    await pets.create({ name: 'Mia', categoryId: 2n })
    await assertCountsAgree(storage)
    await storage.close()

    const counted = 'SELECT category_id FROM category_counts ORDER BY category_id'
    const rows =
      engine === postgres ? await runSql(url, counted) : rowsOf(new DatabaseSync(url.slice('sqlite:'.length)), counted)
    assert.deepEqual(rows.flat().map(Number), [2, 4, 6, 7])
  })

  test(`${engine.name}: a copy has the counts of its source`, async (t) => {
    const [source, target] = [await sqlite.url(t), await engine.url(t)]
    const before = await openStorage(source)
    await before.imports.add(Array.from({ length: 250 }, (_none, index) => petNumber(index)))
    await before.close()

    await copyStorage(source, target, () => undefined)

    const copy = await openStorage(target)
    t.after(() => copy.close())
    assert.equal(await copy.pets.count({}), 250n)
    await assertCountsAgree(copy)
  })
}

test('sqlite: a write that fails in its group is not counted, the others are counted once', async (t) => {
  const { path, commit } = committer(t)
  const createKey: WriteRequest = [
    'createKey',
    { id: 'key_a', name: 'a', permission: 'write', hash: 'a', createdAt: 0 },
  ]

  const results = commit([create(rex), createKey, createKey, create({ ...rex, categoryId: 2n })])

  assert.deepEqual(
    results.map((result) => 'value' in result),
    [true, true, false, true],
  )
  await assertStored(t, path, 2)
})

test('sqlite: changes of a new category that cancel out in one group leave no counts', (t) => {
  const { db, commit } = committer(t)

  commit([create({ ...rex, categoryId: 9n }), ['removePet', { id: 1n, at: 0 }]])

  assert.deepEqual(db.prepare('SELECT category_id FROM category_counts').all(), [])
})

test('sqlite: a group that cannot be committed is never counted', async (t) => {
  const { path, db, commit } = committer(t)
  commit([create(rex)])
  db.exec(`PRAGMA max_page_count = ${(db.prepare('PRAGMA page_count').get() as { page_count: number }).page_count}`)
  const large = { ...rex, name: 'x'.repeat(1_000) }

  const failed = commit(Array.from({ length: 50 }, () => create(large)))
  db.exec('PRAGMA max_page_count = 1000000')
  commit([create(rex)])

  const refused = failed.filter((result) => 'failure' in result).length
  assert.ok(refused > 40, `${refused} of 50 were refused`)
  await assertStored(t, path, 52 - refused)
})

test('postgres: every kind of write updates the totals, and a count without a category reads only them', async (t) => {
  const url = await postgres.url(t)
  const storage = await openStorage(url)
  t.after(() => storage.close())
  const { pets, orders, imports } = storage
  await imports.add([rex, rex, rex])
  await pets.create(rex)
  await pets.update(1n, { status: 'sold', categoryId: 3n })
  await pets.remove(1n)
  await orders.place({ petId: 2n })
  await orders.update(1n, { status: 'completed' })

  for (const filter of [{}, { status: 'sold' }, { status: 'none' }] as const) {
    const { text } = counts(filter).statement
    const plan = (await runSql(url, `EXPLAIN (ANALYZE) ${text.replaceAll('$1', "'sold'")}`)).join('\n')

    assert.match(plan, /Scan .*on pet_totals/)
    assert.doesNotMatch(plan, /category_counts/)
  }
  await assertCountsAgree(storage)
})

/** Every filter of status and category, every combination and the inventory count what a list of all pets has. */
async function assertCountsAgree({ pets }: Storage): Promise<void> {
  const all: Pet[] = []
  for (let more = true; more; ) {
    const page = await pets.list({}, 1_000, all.at(-1)?.id ?? 0n)
    all.push(...page.items)
    more = page.more
  }
  const found = new Set([...categories, ...all.map(({ categoryId }) => categoryId)])
  const filters = [undefined, ...found].flatMap((categoryId) =>
    statusFilters.map((status) => ({ ...(categoryId !== undefined && { categoryId }), ...(status && { status }) })),
  )
  const counted = await Promise.all(filters.map(async (filter) => [filter, await pets.count(filter)]))

  const isWithin = (pet: Pet, { categoryId, status }: PetFilter) =>
    (categoryId ?? pet.categoryId) === pet.categoryId && [undefined, pet.status ?? 'none'].includes(status)
  const expected = filters.map((filter) => [filter, BigInt(all.filter((pet) => isWithin(pet, filter)).length)])
  assert.deepEqual(counted, expected)
  const { next: _next, ...largest } = await pets.inventory(2)
  assert.deepEqual(largest, inventoryOf(all, 2))
  assert.deepEqual(await pets.inventory(100), inventoryOf(all, 100))
}

function inventoryOf(all: Pet[], limit: number): Inventory {
  const categoriesOf = Map.groupBy(all, ({ categoryId }) => categoryId)
  const sizes = [...categoriesOf]
    .map(([id, inCategory]) => ({ id, ...countsOf(inCategory) }))
    .toSorted((one, other) => Number(other.total - one.total) || (one.id < other.id ? -1 : 1))
  const others = sizes.slice(limit).reduce((sum, { total }) => sum + total, 0n)
  return { ...countsOf(all), categories: sizes.slice(0, limit), others }
}

function countsOf(pets: readonly Pet[]) {
  const count = (status: PetStatus | undefined) => BigInt(pets.filter((pet) => pet.status === status).length)
  return {
    total: BigInt(pets.length),
    available: count('available'),
    pending: count('pending'),
    sold: count('sold'),
    none: count(undefined),
  }
}

async function assertStored(t: TestContext, path: string, pets: number): Promise<void> {
  const storage = await openStorage(`sqlite:${path}`)
  t.after(() => storage.close())
  assert.equal(await storage.pets.count({}), BigInt(pets))
  await assertCountsAgree(storage)
}

function rowsOf(db: DatabaseSync, sql: string): unknown[][] {
  const rows = db.prepare(sql).all().map(Object.values)
  db.close()
  return rows
}

function committer(t: TestContext) {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = openForWriting(path)
  t.after(() => db.close())
  migrate(db, path)
  return { path, db, commit: groupCommit(db) }
}

function create(pet: NewPet): WriteRequest {
  return ['createPet', { pet, at: 0 }]
}

function petNumber(index: number): NewPet {
  const status = statuses[index % statuses.length]
  return { name: `pet ${index}`, categoryId: categories[index % categories.length] ?? 0n, ...(status && { status }) }
}

function changeOf(id: bigint) {
  return [{ status: null }, { status: 'sold' as const }, { categoryId: 7n }, { name: 'another' }][Number(id % 4n)] ?? {}
}
