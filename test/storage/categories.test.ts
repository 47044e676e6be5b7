import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Category } from '../../src/contract/category.ts'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Categories, CategoryCreation } from '../../src/inventory/categories.ts'
import type { IdempotencyKey } from '../../src/inventory/idempotency-key.ts'
import { engines } from '../support/engines.ts'

const dogs: Category = { id: 1n, name: 'Dogs' }
const cats: Category = { id: 2n, name: 'Cats' }
const lost: Category = { id: -7n, name: 'Lost and found' }
const idempotencyKey: IdempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of Dogs' }

const names = [
  '🐇 \u{10ffff}',
  ' \t x\r\n\u2028',
  `"'\\"';--`,
  '\u0001\u001f\u007f\u0085',
  'e\u0301',
  '🐕'.repeat(1000),
]

for (const engine of engines) {
  test(`${engine.name}: an empty shop has no categories`, async (t) => {
    const { categories } = await engine.open(t)

    assert.deepEqual(await categories.list(20), { items: [], more: false })
  })

  test(`${engine.name}: put creates a category, which can be read at once`, async (t) => {
    const { categories } = await engine.open(t)

    const put = await categories.put(dogs)

    assert.deepEqual(put, { outcome: 'added' })
    assert.deepEqual(await categories.list(20), { items: [dogs], more: false })
  })

  test(`${engine.name}: put renames a category`, async (t) => {
    const { categories } = await engine.open(t)
    await categories.put(dogs)
    await categories.put(cats)

    const put = await categories.put({ ...dogs, name: 'Hounds' })

    assert.deepEqual(put, { outcome: 'renamed' })
    assert.deepEqual((await categories.list(20)).items, [{ ...dogs, name: 'Hounds' }, cats])
  })

  test(`${engine.name}: put of the same category again changes nothing`, async (t) => {
    const { categories } = await engine.open(t)
    await categories.put(dogs)

    const put = await categories.put(dogs)

    assert.deepEqual(put, { outcome: 'renamed' })
    assert.deepEqual((await categories.list(20)).items, [dogs])
  })

  test(`${engine.name}: of concurrent puts of one id exactly one creates`, async (t) => {
    const { categories } = await engine.open(t)

    const puts = await Promise.all(Array.from({ length: 20 }, () => categories.put(dogs)))

    assert.equal(puts.filter(({ outcome }) => outcome === 'added').length, 1)
  })

  test(`${engine.name}: categories are listed ascending by id, negative ones first`, async (t) => {
    const { categories } = await engine.open(t)
    for (const category of [cats, lost, dogs]) await categories.put(category)

    const { items } = await categories.list(20)

    assert.deepEqual(items, [lost, dogs, cats])
  })

  test(`${engine.name}: every int64 may be the id of a category`, async (t) => {
    const { categories } = await engine.open(t)
    const all = [int64Min, int64Min + 1n, -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n + 1n, int64Max].map(named)
    for (const category of all.toReversed()) await categories.put(category)

    assert.deepEqual((await categories.list(20)).items, all)
    assert.deepEqual((await categories.list(20, int64Min)).items, all.slice(1))
    assert.deepEqual(await categories.list(20, int64Max), { items: [], more: false })
  })

  for (const id of [int64Min, int64Max]) {
    test(`${engine.name}: writes continue after category ${id} is put`, async (t) => {
      const { categories, pets } = await engine.open(t)
      await categories.put(named(id))

      await categories.put({ id, name: 'another name' })
      await pets.create({ name: 'Rex', categoryId: id })

      assert.deepEqual(await pets.find(1n), { id: 1n, name: 'Rex', categoryId: id })
    })
  }

  test(`${engine.name}: the list of categories continues above after, also below 0`, async (t) => {
    const { categories } = await engine.open(t)
    for (const id of [-3n, -2n, -1n, 0n, 1n]) await categories.put(named(id))

    assert.deepEqual(await idsAfter(categories, -3n), [-2n, -1n, 0n, 1n])
    assert.deepEqual(await idsAfter(categories, -1n), [0n, 1n])
    assert.deepEqual(await idsAfter(categories, 1n), [])
  })

  test(`${engine.name}: pages of categories neither repeat nor skip one`, async (t) => {
    const { categories } = await engine.open(t)
    for (let id = -3n; id <= 3n; id++) await categories.put(named(id))

    const first = await categories.list(3)
    const second = await categories.list(3, first.items.at(-1)?.id)
    const third = await categories.list(3, second.items.at(-1)?.id)

    assert.deepEqual([idsOf(first.items), first.more], [[-3n, -2n, -1n], true])
    assert.deepEqual([idsOf(second.items), second.more], [[0n, 1n, 2n], true])
    assert.deepEqual([idsOf(third.items), third.more], [[3n], false])
  })

  test(`${engine.name}: a list of categories that fits the limit exactly has no next page`, async (t) => {
    const { categories } = await engine.open(t)
    await categories.put(dogs)
    await categories.put(cats)

    assert.equal((await categories.list(2)).more, false)
    assert.equal((await categories.list(1)).more, true)
  })

  test(`${engine.name}: the name of a category is stored byte for byte`, async (t) => {
    const { categories } = await engine.open(t)
    for (const [index, name] of names.entries()) await categories.put({ id: BigInt(index), name })

    const { items } = await categories.list(20)

    assert.deepEqual(
      items.map(({ name }) => name),
      names,
    )
  })

  test(`${engine.name}: create gives ids from 1 on, above those that have a name or a pet`, async (t) => {
    const { categories, pets } = await engine.open(t)
    const ids: bigint[] = []
    const create = async () => ids.push(created(await categories.create({ name: 'Dogs' })).id)
    await categories.put(lost)

    await create()
    await create()
    await categories.put(named(7n))
    await create()
    await pets.create({ name: 'Rex', categoryId: 20n })
    await create()
    await pets.update(1n, { categoryId: 30n })
    await create()

    assert.deepEqual(ids, [1n, 2n, 8n, 21n, 31n])
    assert.deepEqual(await categories.find(31n), { id: 31n, name: 'Dogs' })
  })

  test(`${engine.name}: ids that are not exact as JSON numbers do not matter to create`, async (t) => {
    const { categories, pets } = await engine.open(t)
    for (const id of [int64Min, 2n ** 53n - 1n, 2n ** 53n + 1n, int64Max]) {
      await categories.put(named(id))
      await pets.create({ name: 'Rex', categoryId: id })
    }

    const first = created(await categories.create({ name: 'Dogs' }))
    await categories.put(named(2n ** 53n - 3n))
    const last = created(await categories.create({ name: 'Cats' }))
    const none = await categories.create({ name: 'Fish' }, idempotencyKey)

    assert.deepEqual([first.id, last.id], [1n, 2n ** 53n - 2n])
    assert.deepEqual(none, { outcome: 'exhausted' })
  })

  test(`${engine.name}: concurrent creates get different ids`, async (t) => {
    const { categories, pets } = await engine.open(t)

    const creations = await Promise.all(
      Array.from({ length: 50 }, async (_none, index) => {
        if (index % 10 === 0) await pets.create({ name: 'Rex', categoryId: BigInt(index) })
        return created(await categories.create({ name: `${index}` }))
      }),
    )

    const { items } = await categories.list(100)
    assert.equal(new Set(creations.map(({ id }) => id)).size, 50)
    assert.deepEqual(
      items,
      creations.toSorted((one, other) => Number(one.id - other.id)),
    )
  })

  test(`${engine.name}: create with a key that was used before replays the category, whatever became of it`, async (t) => {
    const { categories } = await engine.open(t)
    const first = await categories.create({ name: 'Dogs "\u2028' }, idempotencyKey)
    await categories.remove(1n)

    const again = await categories.create({ name: 'Dogs "\u2028' }, idempotencyKey)
    const other = await categories.create({ name: 'Cats' }, { ...idempotencyKey, fingerprint: 'of Cats' })

    assert.deepEqual(again, { ...first, outcome: 'replayed' })
    assert.deepEqual(other, { outcome: 'mismatch' })
    assert.deepEqual((await categories.list(20)).items, [])
  })

  test(`${engine.name}: concurrent creates with one key add one category`, async (t) => {
    const { categories } = await engine.open(t)

    const creations = await Promise.all(
      Array.from({ length: 20 }, () => categories.create({ name: 'Dogs' }, idempotencyKey)),
    )

    assert.equal(creations.filter(({ outcome }) => outcome === 'created').length, 1)
    assert.deepEqual((await categories.list(20)).items, [dogs])
  })

  test(`${engine.name}: remove takes the name of a category without pets and leaves the others`, async (t) => {
    const { categories, pets } = await engine.open(t)
    for (const category of [dogs, cats]) await categories.put(category)
    await pets.create({ name: 'Rex', categoryId: 2n })

    const removal = await categories.remove(1n)

    assert.deepEqual(removal, { outcome: 'removed' })
    assert.deepEqual((await categories.list(20)).items, [cats])
    assert.deepEqual(await categories.remove(1n), { outcome: 'missing' })
    assert.deepEqual(await categories.put(dogs), { outcome: 'added' })
  })

  for (const status of ['available', undefined] as const) {
    test(`${engine.name}: a pet with the status ${status} keeps its category until it is moved or removed`, async (t) => {
      const { categories, pets } = await engine.open(t)
      for (const category of [dogs, cats]) await categories.put(category)
      await pets.create({ name: 'Rex', categoryId: 1n, ...(status && { status }) })

      assert.deepEqual(await categories.remove(1n), { outcome: 'used' })
      await pets.update(1n, { categoryId: 2n })
      assert.deepEqual(await categories.remove(2n), { outcome: 'used' })
      assert.deepEqual(await categories.remove(1n), { outcome: 'removed' })
      await pets.remove(1n)
      assert.deepEqual(await categories.remove(2n), { outcome: 'removed' })
    })
  }

  test(`${engine.name}: a pet of an import keeps its category`, async (t) => {
    const { categories, imports } = await engine.open(t)
    await categories.put(dogs)
    await imports.add([{ name: 'Rex', categoryId: 1n }])

    assert.deepEqual(await categories.remove(1n), { outcome: 'used' })
    assert.equal(created(await categories.create({ name: 'Cats' })).id, 2n)
  })

  test(`${engine.name}: a category is added, filled and removed at once, each after the one before`, async (t) => {
    const { categories, pets } = await engine.open(t)

    const outcomes = await Promise.all([
      categories.create({ name: 'Dogs' }),
      pets.create({ name: 'Rex', categoryId: 1n }),
      categories.remove(1n),
      pets.remove(1n),
      categories.remove(1n),
      categories.put(cats),
      categories.remove(2n),
    ])

    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['created', 'created', 'used', 'removed', 'removed', 'added', 'removed'],
    )
    assert.deepEqual((await categories.list(20)).items, [])
  })

  for (const id of [int64Min, int64Max]) {
    test(`${engine.name}: category ${id} can be removed`, async (t) => {
      const { categories } = await engine.open(t)
      await categories.put(named(id))

      assert.deepEqual(await categories.remove(id), { outcome: 'removed' })
      assert.equal(await categories.find(id), undefined)
    })
  }

  test(`${engine.name}: categories of a closed storage are unavailable`, async (t) => {
    const storage = await engine.open(t)
    await storage.close()

    await assert.rejects(storage.categories.list(20), { code: 'unavailable' })
    await assert.rejects(storage.categories.put(dogs), { code: 'unavailable' })
    await assert.rejects(storage.categories.create({ name: 'Dogs' }), { code: 'unavailable' })
    await assert.rejects(storage.categories.remove(1n), { code: 'unavailable' })
  })
}

function created(creation: CategoryCreation): Category {
  if (creation.outcome !== 'created') throw new Error(creation.outcome)
  return creation.category
}

function named(id: bigint): Category {
  return { id, name: `category ${id}` }
}

async function idsAfter(categories: Categories, after: bigint): Promise<bigint[]> {
  return idsOf((await categories.list(20, after)).items)
}

function idsOf(items: readonly Category[]): bigint[] {
  return items.map(({ id }) => id)
}
