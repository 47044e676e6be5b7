import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { engines } from '../support/engines.ts'
import { firstOrder, newYear, openShop, rex, tally } from '../support/stored-orders.ts'

for (const engine of engines) {
  test(`${engine.name}: completed makes the animal sold and sets the time`, async (t) => {
    let now = newYear
    const { orders, pets } = await openShop(engine, t, 1, () => now)
    await orders.place({ petId: 1n })

    now += 90_000
    const update = await orders.update(1n, { status: 'completed' })

    const order = { ...firstOrder, status: 'completed', updatedAt: '2030-01-01T00:01:30.000Z' }
    assert.deepEqual(update, { outcome: 'updated', order })
    assert.deepEqual((await orders.list({}, 20, 0n)).items, [order])
    assert.deepEqual(await pets.find(1n), { id: 1n, ...rex, status: 'sold' })
  })

  test(`${engine.name}: cancelled makes the animal available, and it can be ordered again`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })

    const update = await orders.update(1n, { status: 'cancelled' })
    const afterwards = await pets.find(1n)
    const again = await orders.place({ petId: 1n })

    assert.deepEqual(update, { outcome: 'updated', order: { ...firstOrder, status: 'cancelled' } })
    assert.deepEqual(afterwards, { id: 1n, ...rex })
    assert.deepEqual(again, { outcome: 'placed', order: { ...firstOrder, id: 2n } })
    assert.equal(await pets.count({ status: 'pending' }), 1n)
  })

  for (const status of ['completed', 'cancelled'] as const) {
    test(`${engine.name}: an order that is ${status} cannot change`, async (t) => {
      let now = newYear
      const { orders, pets, version } = await openShop(engine, t, 1, () => now)
      await orders.place({ petId: 1n })
      await orders.update(1n, { status })
      const before = version()
      const animal = await pets.find(1n)

      now += 1_000
      const updates = [
        await orders.update(1n, { status: 'completed' }),
        await orders.update(1n, { status: 'cancelled' }),
      ]

      const closed = { outcome: 'closed', order: { ...firstOrder, status } }
      assert.deepEqual(updates, [closed, closed])
      assert.deepEqual(await pets.find(1n), animal)
      assert.equal(version(), before)
    })
  }

  test(`${engine.name}: closing an old order does not affect a new order of its animal`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })
    await orders.update(1n, { status: 'cancelled' })
    await orders.place({ petId: 1n })

    const update = await orders.update(1n, { status: 'completed' })

    assert.equal(update.outcome, 'closed')
    assert.equal((await pets.find(1n))?.status, 'pending')
  })

  test(`${engine.name}: close of an unknown order is missing`, async (t) => {
    const { orders, version } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })
    const before = version()

    for (const id of [2n, 0n, -1n, int64Max, int64Min])
      assert.deepEqual(await orders.update(id, { status: 'completed' }), { outcome: 'missing' })

    assert.equal(version(), before)
  })

  test(`${engine.name}: of concurrent closes of an order exactly one succeeds`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })

    const updates = await Promise.all(
      Array.from({ length: 50 }, (_none, index) =>
        orders.update(1n, { status: index % 2 === 0 ? 'completed' : 'cancelled' }),
      ),
    )

    assert.deepEqual(tally(updates), { updated: 1, closed: 49 })
    const [order] = (await orders.list({}, 1, 0n)).items
    for (const update of updates) assert.deepEqual('order' in update && update.order, order)
    assert.equal((await pets.find(1n))?.status, order?.status === 'completed' ? 'sold' : 'available')
  })

  test(`${engine.name}: a closed order stays when its animal is removed`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })
    await orders.update(1n, { status: 'completed' })

    await pets.remove(1n)

    assert.deepEqual((await orders.list({ petId: 1n }, 20, 0n)).items, [{ ...firstOrder, status: 'completed' }])
  })
}
