import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PetStatus } from '../../src/contract/pet.ts'
import type { PetQuery } from '../../src/inventory/pets.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines } from '../support/engines.ts'

const statuses: (PetStatus | undefined)[] = ['available', 'pending', 'sold', undefined]

for (const engine of engines) {
  test(`${engine.name}: pets by descending id are the reverse of ascending, with every filter`, async (t) => {
    const storage = await engine.open(t)
    await stock(storage)

    for (const filter of [{}, { status: 'sold' }, { categoryId: 1n }, { categoryId: 1n, status: 'sold' }] as const) {
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
    const next = await storage.pets.list({ sort: '-id' }, 2, first.items.at(-1)?.id ?? 0n, first.history)

    assert.deepEqual(
      [...first.items, ...next.items].map(({ id }) => id),
      [40n, 39n, 37n, 36n],
    )
  })

  test(`${engine.name}: orders by descending id are the reverse of ascending, with every filter`, async (t) => {
    const { orders, pets } = await engine.open(t)
    for (let petId = 1n; petId <= 3n; petId++) await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
    for (let petId = 1n; petId <= 3n; petId++) {
      const placement = await orders.place(petId)
      if ('order' in placement && petId < 3n) await orders.close(placement.order.id, 'cancelled')
    }
    for (let petId = 1n; petId <= 2n; petId++) await orders.place(petId)

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
    const rest = await events.listBackwards(3, first.items.at(-1)?.id, first.history)
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

/** 40 pets in three categories, with every status. */
async function stock({ imports }: Storage): Promise<void> {
  const pets = Array.from({ length: 40 }, (_none, index) => {
    const status = statuses[index % 4]
    return { name: `pet ${index}`, categoryId: BigInt(index % 3), ...(status && { status }) }
  })
  await imports.stage(pets)
  await imports.addStaged(pets.length)
}

async function walk({ pets }: Storage, query: PetQuery, limit: number): Promise<bigint[]> {
  const ids: bigint[] = []
  let history: string | undefined
  for (let more = true; more; ) {
    const page = await pets.list(query, limit, ids.at(-1) ?? 0n, history)
    ids.push(...page.items.map(({ id }) => id))
    more = page.more
    history = page.history
  }
  return ids
}
