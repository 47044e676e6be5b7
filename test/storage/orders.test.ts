import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { firstOrder, openShop, openTwice, placed, rex, tally } from '../support/stored-orders.ts'

for (const engine of engines) {
  test(`${engine.name}: a new shop has no orders`, async (t) => {
    const { orders } = await openShop(engine, t, 1)

    assert.deepEqual(await orders.list({}, 20, 0n), { items: [], more: false })
  })

  test(`${engine.name}: place resolves to an open order with its new id and the time of the clock`, async (t) => {
    const { orders } = await openShop(engine, t, 1)

    const placement = await orders.place({ petId: 1n })

    assert.deepEqual(placement, { outcome: 'placed', order: firstOrder })
    assert.deepEqual(await orders.list({}, 20, 0n), { items: [firstOrder], more: false })
  })

  test(`${engine.name}: place makes its animal pending and updates the counts`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 2)

    await orders.place({ petId: 2n })

    assert.deepEqual(await pets.find(2n), { id: 2n, ...rex, status: 'pending' })
    assert.deepEqual(await pets.find(1n), { id: 1n, ...rex })
    assert.equal(await pets.count({ status: 'pending' }), 1n)
    assert.equal(await pets.count({ status: 'available' }), 1n)
  })

  test(`${engine.name}: place of an unknown animal is missing and writes nothing`, async (t) => {
    const { orders, version } = await openShop(engine, t, 1)
    const before = version()

    for (const id of [2n, 0n, -1n, int64Max, int64Min])
      assert.deepEqual(await orders.place({ petId: id }), { outcome: 'missing' })

    assert.deepEqual((await orders.list({}, 20, 0n)).items, [])
    assert.equal(version(), before)
  })

  for (const status of ['pending', 'sold', undefined] as const) {
    test(`${engine.name}: place of an animal that is ${status ?? 'without a status'} is taken and writes nothing`, async (t) => {
      const { orders, pets, version } = await openShop(engine, t, 0)
      await pets.create({ name: 'Rex', categoryId: 1n, ...(status && { status }) })
      const before = version()

      const placement = await orders.place({ petId: 1n })

      assert.deepEqual(placement, { outcome: 'taken', status })
      assert.deepEqual((await orders.list({}, 20, 0n)).items, [])
      assert.equal(version(), before)
    })
  }

  test(`${engine.name}: of 200 concurrent orders for one animal exactly one is placed`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)

    const placements = await Promise.all(Array.from({ length: 200 }, () => orders.place({ petId: 1n })))

    assert.deepEqual(tally(placements), { placed: 1, taken: 199 })
    assert.equal((await orders.list({}, 100, 0n)).items.length, 1)
    assert.equal((await pets.find(1n))?.status, 'pending')
  })

  test(`${engine.name}: concurrent orders for many animals place each of them once`, async (t) => {
    const { orders } = await openShop(engine, t, 10)

    const placements = await Promise.all(
      Array.from({ length: 100 }, (_none, index) => orders.place({ petId: BigInt(index % 10) + 1n })),
    )

    assert.deepEqual(tally(placements), { placed: 10, taken: 90 })
    const { items } = await orders.list({}, 100, 0n)
    assert.equal(new Set(items.map(({ petId }) => petId)).size, 10)
  })

  test(`${engine.name}: an animal is ordered or removed, never both`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 30)

    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_none, index) => {
        const id = BigInt(index) + 1n
        const [first, second] = [() => orders.place({ petId: id }), () => pets.remove(id)]
        return index % 2 === 0 ? Promise.all([first(), second()]) : Promise.all([second(), first()])
      }),
    )

    for (const pair of outcomes) {
      const names = pair.map(({ outcome }) => outcome).toSorted()
      assert.ok(['ordered placed', 'missing removed'].includes(names.join(' ')), names.join(' '))
    }
  })

  test(`${engine.name}: orders are given the ids 1, 2, 3, whatever the ids of their animals`, async (t) => {
    const { orders } = await openShop(engine, t, 9)

    for (const petId of [9n, 4n, 7n]) await orders.place({ petId })

    const { items } = await orders.list({}, 20, 0n)
    assert.deepEqual(
      items.map(({ id, petId }) => [id, petId]),
      [
        [1n, 9n],
        [2n, 4n],
        [3n, 7n],
      ],
    )
  })

  test(`${engine.name}: a refused order uses no id`, async (t) => {
    const { orders } = await openShop(engine, t, 2)
    await orders.place({ petId: 1n })
    await orders.place({ petId: 1n })
    await orders.place({ petId: 5n })

    const placement = await orders.place({ petId: 2n })

    assert.equal(placed(placement).id, 2n)
  })

  test(`${engine.name}: orders of a closed storage are unavailable`, async (t) => {
    const storage = await openShop(engine, t, 1)
    await storage.close()

    await assert.rejects(storage.orders.list({}, 20, 0n), { code: 'unavailable' })
    await assert.rejects(storage.orders.place({ petId: 1n }), { code: 'unavailable' })
    await assert.rejects(storage.orders.update(1n, { status: 'completed' }), { code: 'unavailable' })
  })
}

// Nobody else can open a database in memory.
for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: of 200 concurrent orders for one animal at two instances exactly one is placed`, async (t) => {
    const [one, other] = await openTwice(engine, t)
    await one.pets.create(rex)

    const placements = await Promise.all(
      Array.from({ length: 200 }, (_none, index) => (index % 2 === 0 ? one : other).orders.place({ petId: 1n })),
    )

    assert.deepEqual(tally(placements), { placed: 1, taken: 199 })
    assert.deepEqual(await one.orders.list({}, 20, 0n), await other.orders.list({}, 20, 0n))
  })

  test(`${engine.name}: two instances never sell an animal twice`, async (t) => {
    const [one, other] = await openTwice(engine, t)
    for (let added = 0; added < 5; added++) await one.pets.create(rex)

    async function shop({ orders }: Storage): Promise<bigint[]> {
      const sold: bigint[] = []
      for (let round = 0; round < 6; round++) {
        for (let petId = 1n; petId <= 5n; petId++) {
          const placement = await orders.place({ petId })
          if (placement.outcome !== 'placed') continue
          const ending = round < 3 ? 'cancelled' : 'completed'
          const update = await orders.update(placement.order.id, { status: ending })
          assert.equal(update.outcome, 'updated')
          if (ending === 'completed') sold.push(petId)
        }
      }
      return sold
    }
    const sold = (await Promise.all([shop(one), shop(other)])).flat()

    assert.deepEqual(
      sold.toSorted((a, b) => Number(a - b)),
      [1n, 2n, 3n, 4n, 5n],
    )
    assert.equal(await one.pets.count({ status: 'sold' }), 5n)
  })
}
