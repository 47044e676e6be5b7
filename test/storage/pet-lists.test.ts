import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max } from '../../src/contract/int64.ts'
import type { CountedFilter } from '../../src/inventory/pets.ts'
import { engines } from '../support/engines.ts'
import { created, fill, idsOf, rex } from '../support/stored-pets.ts'

for (const engine of engines) {
  test(`${engine.name}: list of an empty shop is empty`, async (t) => {
    const { pets } = await engine.open(t)

    const page = await pets.list({}, 20, 0n)

    assert.deepEqual(page, { items: [], more: false })
  })

  test(`${engine.name}: list is ascending by id, the order of creation`, async (t) => {
    const { pets } = await engine.open(t)
    for (const name of ['c', 'a', 'b']) await pets.create({ name, categoryId: 1n })

    const { items } = await pets.list({}, 20, 0n)

    assert.deepEqual(
      items.map(({ id, name }) => [id, name]),
      [
        [1n, 'c'],
        [2n, 'a'],
        [3n, 'b'],
      ],
    )
  })

  test(`${engine.name}: list by a filter is ascending by id`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 12)

    const { items } = await pets.list({ status: 'sold' }, 20, 0n)

    assert.deepEqual(idsOf(items), [3n, 6n, 9n, 12n])
  })

  test(`${engine.name}: list returns at most limit animals`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 5)

    const { items } = await pets.list({}, 3, 0n)

    assert.deepEqual(idsOf(items), [1n, 2n, 3n])
  })

  test(`${engine.name}: list has a next page if an animal follows`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 4)

    const { more } = await pets.list({}, 3, 0n)

    assert.equal(more, true)
  })

  test(`${engine.name}: list has no next page if the limit fits exactly`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    const { items, more } = await pets.list({}, 3, 0n)

    assert.equal(items.length, 3)
    assert.equal(more, false)
  })

  test(`${engine.name}: list has no next page if no matching animal follows`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ ...rex, status: 'sold' })
    await pets.create({ ...rex, status: 'pending' })

    const { more } = await pets.list({ status: 'sold' }, 1, 0n)

    assert.equal(more, false)
  })

  test(`${engine.name}: list returns only animals with an id above after`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 5)

    const page = await pets.list({}, 20, 3n)

    assert.deepEqual(idsOf(page.items), [4n, 5n])
    assert.equal(page.more, false)
  })

  test(`${engine.name}: a list after an id that was never assigned is empty`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 2)

    for (const after of [2n, 3n, int64Max]) {
      assert.deepEqual(await pets.list({}, 20, after), { items: [], more: false })
    }
  })

  test(`${engine.name}: list pages neither repeat nor skip an animal while others are added`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 7)
    const seen: bigint[] = []
    let after = 0n

    for (let more = true; more; ) {
      const page = await pets.list({}, 2, after)
      await pets.create(rex)
      seen.push(...idsOf(page.items))
      after = seen.at(-1) ?? after
      more = page.more && seen.length < 12
    }

    assert.deepEqual(
      seen,
      seen.map((_id, index) => BigInt(index + 1)),
    )
    assert.ok(seen.length >= 12)
  })

  for (const status of ['available', 'pending', 'sold'] as const) {
    test(`${engine.name}: list returns only animals of the status ${status}`, async (t) => {
      const { pets } = await engine.open(t)
      const all = await fill(pets, 12)

      const { items } = await pets.list({ status }, 20, 0n)

      assert.equal(items.length, 4)
      assert.deepEqual(
        items,
        all.filter((pet) => pet.status === status),
      )
    })
  }

  test(`${engine.name}: list returns only animals of the requested category`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 12)

    const { items } = await pets.list({ categoryId: 1n }, 20, 0n)

    assert.equal(items.length, 6)
    assert.deepEqual(
      items,
      all.filter(({ categoryId }) => categoryId === 1n),
    )
  })

  test(`${engine.name}: list returns only the animal with the requested id`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 3)

    const page = await pets.list({ id: 2n }, 20, 0n)

    assert.deepEqual(page, { items: [all[1]], more: false })
  })

  test(`${engine.name}: list with an unknown id is empty`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    const page = await pets.list({ id: 4n }, 20, 0n)

    assert.deepEqual(page, { items: [], more: false })
  })

  test(`${engine.name}: list with an id that is not above after is empty`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 3)

    const page = await pets.list({ id: 2n }, 20, 2n)

    assert.deepEqual(page, { items: [], more: false })
  })

  test(`${engine.name}: list and count agree on`, async (t) => {
    const { pets } = await engine.open(t)
    const all = await fill(pets, 14)
    for (const categoryId of [1n, 2n, 1n]) all.push(created(await pets.create({ name: 'Coco', categoryId })).pet)

    for (const filter of everyFilter()) {
      await t.test(`animals within all filters of ${spell(filter)}`, async () => {
        const { status, categoryId, id } = filter
        const expected = all
          .filter((pet) => status === undefined || (pet.status ?? 'none') === status)
          .filter((pet) => categoryId === undefined || pet.categoryId === categoryId)
          .filter((pet) => id === undefined || pet.id === id)

        const { items } = await pets.list(filter, 100, 0n)
        const count = await pets.count(filter)

        assert.deepEqual(items, expected)
        assert.equal(count, BigInt(expected.length))
      })
    }
  })

  test(`${engine.name}: list pages through both filters without repeats or gaps`, async (t) => {
    const { pets } = await engine.open(t)
    await fill(pets, 18)
    const filter = { status: 'sold', categoryId: 1n } as const

    const first = await pets.list(filter, 2, 0n)
    const second = await pets.list(filter, 2, first.items.at(-1)?.id ?? 0n)

    assert.deepEqual([idsOf(first.items), first.more], [[3n, 9n], true])
    assert.deepEqual([idsOf(second.items), second.more], [[15n], false])
  })

  test(`${engine.name}: a filter by one of the three statuses returns no animal without a status`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Coco', categoryId: 4n })

    const pages = await Promise.all(
      (['available', 'pending', 'sold'] as const).map((status) => pets.list({ status }, 20, 0n)),
    )

    assert.deepEqual(
      pages.flatMap(({ items }) => items),
      [],
    )
  })

  test(`${engine.name}: count of an empty shop is 0`, async (t) => {
    const { pets } = await engine.open(t)

    assert.equal(await pets.count({}), 0n)
  })

  test(`${engine.name}: count grows with every animal added`, async (t) => {
    const { pets } = await engine.open(t)
    const counts: bigint[] = []

    for (let added = 0; added < 3; added++) {
      await pets.create(rex)
      counts.push(await pets.count({}))
    }

    assert.deepEqual(counts, [1n, 2n, 3n])
  })

  test(`${engine.name}: count includes animals without a status, and no status filter does`, async (t) => {
    const { pets } = await engine.open(t)
    await pets.create({ name: 'Coco', categoryId: 4n })

    assert.equal(await pets.count({}), 1n)
    assert.equal(await pets.count({ categoryId: 4n }), 1n)
    assert.equal(await pets.count({ status: 'available' }), 0n)
  })
}

function everyFilter(): CountedFilter[] {
  const statuses: CountedFilter[] = [
    {},
    { status: 'available' },
    { status: 'pending' },
    { status: 'sold' },
    { status: 'none' },
  ]
  const categories: CountedFilter[] = [{}, { categoryId: 1n }, { categoryId: 2n }, { categoryId: 3n }]
  const ids: CountedFilter[] = [{}, { id: 1n }, { id: 6n }]
  return statuses.flatMap((status) =>
    categories.flatMap((category) => ids.map((id) => ({ ...status, ...category, ...id }))),
  )
}

function spell(filter: object): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${String(value)}`)
  return `{ ${parts.join(', ')} }`
}
