import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetQuery } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { nameKey } from '../../src/inventory/name-words.ts'
import { engines } from '../support/engines.ts'
import { petFilters, statuses } from '../support/pet-filters.ts'

for (const engine of engines) {
  test(`${engine.name}: pets by descending id are the reverse of ascending, with every filter`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage)

    for (const filter of [{}, ...petFilters]) {
      const ascending = await walk(storage, { ...filter, sort: 'id' }, 4)
      for (const limit of [1, 7, 60]) {
        assert.deepEqual(await walk(storage, { ...filter, sort: '-id' }, limit), ascending.toReversed())
      }
    }
  })

  test(`${engine.name}: pages by descending id contain no pet added after the first page`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage)
    const first = await storage.pets.list({ sort: '-id' }, 2, 0n)

    await storage.pets.create({ name: 'new', categoryId: 1n })
    await storage.pets.remove(39n)
    await storage.pets.remove(38n)
    const next = await storage.pets.list({ sort: '-id' }, 2, first.items.at(-1)?.id ?? 0n)

    assert.deepEqual(
      [...first.items, ...next.items].map(({ id }) => id),
      [40n, 39n, 37n, 36n],
    )
  })

  test(`${engine.name}: pets by name are in the order of their words by code point, without case and accents, then by id`, async (t) => {
    const storage = await engine.open(t)
    await add(storage, names)

    for (const limit of [1, 3, 100]) {
      assert.deepEqual(await walkByName(storage, { sort: 'name' }, limit), expected(names))
      assert.deepEqual(await walkByName(storage, { sort: '-name' }, limit), expected(names).toReversed())
    }
  })

  test(`${engine.name}: pets by name within a filter are all that match, if few do`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage)

    for (const filter of petFilters) {
      const matching = (await storage.pets.list(filter, 100, 0n)).items
      const sorted = matching.toSorted((one, other) => compare(one.name, other.name) || Number(one.id - other.id))
      const ids = sorted.map(({ id }) => id)
      assert.deepEqual(await walkByName(storage, { ...filter, sort: 'name' }, 2), ids)
      assert.deepEqual(await walkByName(storage, { ...filter, sort: '-name' }, 3), ids.toReversed())
    }
  })

  test(`${engine.name}: pets by name within a filter are all that match, if many do`, async (t) => {
    const storage = await engine.open(t)
    const pets = Array.from({ length: 6_000 }, (_none, index) => {
      const isOne = index % 2 === 0
      return {
        name: `pet ${(index * 7919) % 6007}`,
        categoryId: isOne ? 1n : 2n,
        status: isOne ? 'sold' : 'pending',
      } as const
    })
    await storage.imports.add(pets)
    const ids = expected(pets.map(({ name }) => name)).filter((id) => id % 2n === 1n)

    for (const filter of [{ status: 'sold' }, { categoryId: 1n }, { categoryId: 1n, status: 'sold' }] as const) {
      assert.deepEqual(await walkByName(storage, { ...filter, sort: 'name' }, 700), ids)
      assert.deepEqual(await walkByName(storage, { ...filter, sort: '-name' }, 1_000), ids.toReversed())
    }
  })

  test(`${engine.name}: a list by name goes on where it was, though the pet it ended with was renamed or removed`, async (t) => {
    const storage = await engine.open(t)
    await add(storage, ['a', 'b', 'c', 'd', 'e'])
    const list = (after: bigint, afterKey: string) => storage.pets.list({ sort: 'name', afterKey }, 2, after)

    await storage.pets.update(2n, { name: 'z' })
    const afterRenamed = await list(2n, 'b')
    await storage.pets.remove(4n)
    const afterRemoved = await list(4n, 'd')

    assert.deepEqual(
      [afterRenamed, afterRemoved].map(({ items, more }) => [items.map(({ name }) => name), more]),
      [
        [['c', 'd'], true],
        [['e', 'z'], false],
      ],
    )
  })

  test(`${engine.name}: orders by descending id are the reverse of ascending, with every filter`, async (t) => {
    const { orders, pets } = await engine.open(t)
    for (let petId = 1n; petId <= 3n; petId++) await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
    for (let petId = 1n; petId <= 3n; petId++) {
      const placement = await orders.place({ petId })
      if ('order' in placement && petId < 3n) await orders.update(placement.order.id, { status: 'cancelled' })
    }
    for (let petId = 1n; petId <= 2n; petId++) await orders.place({ petId })

    for (const filter of [{}, { status: 'cancelled' }, { petId: 1n }, { petId: 1n, status: 'placed' }] as const) {
      const { items } = await orders.list(filter, 100, 0n)
      const backwards = []
      for (let after = 0n, more = true; more; ) {
        const page = await orders.list({ ...filter, sort: '-id' }, 1, after)
        backwards.push(...page.items)
        after = page.items.at(-1)?.id ?? 0n
        more = page.more
      }
      assert.deepEqual(backwards, items.toReversed())
    }
  })

  test(`${engine.name}: events by descending id go from the latest to the oldest stored one`, async (t) => {
    let now = 1_000
    const { events, pets } = await engine.open(t, () => now)
    for (let count = 0; count < 3; count++) await pets.create({ name: 'Rex', categoryId: 1n })
    now = 2_000
    for (let count = 0; count < 4; count++) await pets.create({ name: 'Rex', categoryId: 1n })
    assert.equal(await events.forget(2_000), 3)

    const first = await events.listBackwards(3)
    const rest = await events.listBackwards(3, first.items.at(-1)?.id, first.lineage)
    const beyond = await events.listBackwards(3, 4n)
    const unknown = await events.listBackwards(3, 99n)

    assert.deepEqual(
      [first, rest].map(({ items, more, missed }) => [items.map(({ id }) => id), more, missed]),
      [
        [[7n, 6n, 5n], true, false],
        [[4n], false, false],
      ],
    )
    assert.deepEqual([beyond.items, beyond.more, beyond.missed], [[], false, false])
    assert.equal(unknown.missed, true)
  })
}

/** Names that an order by UTF-16, by language or with other cases would sort differently, and long ones. */
const long = 'x'.repeat(63)
const names = [
  'rex', 'Rex', 'REX', 'Bella', 'anna', 'Zoe', 'Zoë', 'zoe', 'Ärmel', 'ärmel', 'Émile', 'İ', 'ß', 'K', ' k', '1', '_', '~',
  'ポチ', '🐕', '\uffee', '\u{10000}', 'e\u0301', long, `${long}b`, `${long}ab`, `${long}aa`, `${long}🐕b`, `${long}🐕a`,
  'y'.repeat(60_000), `${'Y'.repeat(60_000)}a`, 'a\nb', "a'b", 'a%', '[A]', '{a}',
] // biome-ignore format: a table

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(nameKey(one)), Buffer.from(nameKey(other)))
}

/** The ids of pets with these names, in the order of the names. */
function expected(all: readonly string[]): bigint[] {
  const pets = all.map((name, index) => ({ id: BigInt(index + 1), name }))
  return pets.toSorted((one, other) => compare(one.name, other.name) || Number(one.id - other.id)).map(({ id }) => id)
}

async function add({ imports }: Storage, all: readonly string[]): Promise<void> {
  await imports.add(all.map((name) => ({ name, categoryId: 1n })))
}

async function walkByName({ pets }: Storage, query: PetQuery, limit: number): Promise<bigint[]> {
  const ids: bigint[] = []
  let after: { id: bigint; key: string } | undefined
  for (let more = true; more; ) {
    const page = await pets.list({ ...query, ...(after && { afterKey: after.key }) }, limit, after?.id ?? 0n)
    ids.push(...page.items.map(({ id }) => id))
    const last = page.items.at(-1)
    after = last && { id: last.id, key: nameKey(last.name) }
    more = page.more
    assert.ok(page.items.length <= limit)
  }
  return ids
}

/** 40 pets in three categories, with every status. */
async function stock({ imports }: Storage): Promise<void> {
  const pets = Array.from({ length: 40 }, (_none, index) => {
    const status = statuses[index % 4]
    return { name: `pet ${index}`, categoryId: BigInt(index % 3), ...(status && { status }) }
  })
  await imports.add(pets)
}

async function walk({ pets }: Storage, query: PetQuery, limit: number): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let more = true; more; ) {
    const page = await pets.list(query, limit, ids.at(-1) ?? 0n)
    ids.push(...page.items.map(({ id }) => id))
    more = page.more
  }
  return ids
}
