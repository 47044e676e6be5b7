import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, postgres, sqlite } from '../support/engines.ts'
import { firstOrder, idempotencyKey, newYear, openShop, openTwice, rex, tally } from '../support/stored-orders.ts'

const day = 24 * 60 * 60 * 1000

for (const engine of engines) {
  test(`${engine.name}: the same Idempotency-Key returns the first order and places none`, async (t) => {
    let now = newYear
    const { orders } = await openShop(engine, t, 1, () => now)
    await orders.place({ petId: 1n }, idempotencyKey)

    now += day - 1
    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', order: firstOrder })
    assert.equal((await orders.list({}, 20, 0n)).items.length, 1)
  })

  test(`${engine.name}: a replay returns the order as it was placed, even if it is closed`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n }, idempotencyKey)
    await orders.update(1n, { status: 'completed' })
    await pets.remove(1n)

    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', order: firstOrder })
  })

  test(`${engine.name}: concurrent orders with one Idempotency-Key place one order`, async (t) => {
    const { orders } = await openShop(engine, t, 1)

    const placements = await Promise.all(Array.from({ length: 20 }, () => orders.place({ petId: 1n }, idempotencyKey)))

    assert.deepEqual(tally(placements), { placed: 1, replayed: 19 })
    for (const placement of placements) assert.deepEqual('order' in placement && placement.order, firstOrder)
  })

  test(`${engine.name}: the same Idempotency-Key with another body is a mismatch and writes nothing`, async (t) => {
    const { orders, pets, version } = await openShop(engine, t, 2)
    await orders.place({ petId: 1n }, idempotencyKey)
    const before = version()

    const again = await orders.place({ petId: 2n }, { ...idempotencyKey, fingerprint: 'of an order for 2' })

    assert.deepEqual(again, { outcome: 'mismatch' })
    assert.equal((await pets.find(2n))?.status, 'available')
    assert.equal(version(), before)
  })

  test(`${engine.name}: an Idempotency-Key of a create does not replay for an order`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await pets.create(rex, { ...idempotencyKey, fingerprint: 'of Rex' })

    const placement = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(placement, { outcome: 'mismatch' })
    assert.equal((await pets.find(1n))?.status, 'available')
  })

  test(`${engine.name}: an Idempotency-Key of an order does not replay for a create`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n }, idempotencyKey)

    const creation = await pets.create(rex, { ...idempotencyKey, fingerprint: 'of Rex' })

    assert.deepEqual(creation, { outcome: 'mismatch' })
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: Idempotency-Keys of orders are scoped to the API key`, async (t) => {
    const { orders } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n }, idempotencyKey)

    const other = await orders.place({ petId: 1n }, { ...idempotencyKey, keyId: 'key_b' })

    assert.deepEqual(other, { outcome: 'taken', status: 'pending' })
  })

  test(`${engine.name}: an order refused as taken is not remembered`, async (t) => {
    const { orders } = await openShop(engine, t, 1)
    await orders.place({ petId: 1n })
    await orders.place({ petId: 1n }, idempotencyKey)
    await orders.update(1n, { status: 'cancelled' })

    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'placed', order: { ...firstOrder, id: 2n } })
  })

  test(`${engine.name}: an order for an unknown animal is not remembered`, async (t) => {
    const { orders, pets } = await openShop(engine, t, 0)
    await orders.place({ petId: 1n }, idempotencyKey)
    await pets.create(rex)

    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'placed', order: firstOrder })
  })

  test(`${engine.name}: an Idempotency-Key of an order expires after a day`, async (t) => {
    let now = newYear
    const { orders } = await openShop(engine, t, 1, () => now)
    await orders.place({ petId: 1n }, idempotencyKey)

    now += day + 1
    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'taken', status: 'pending' })
  })
}

// Nobody else can open a database in memory.
for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: concurrent orders with one Idempotency-Key at two instances place one order`, async (t) => {
    const [one, other] = await openTwice(engine, t)
    await one.pets.create(rex)

    const placements = await Promise.all(
      Array.from({ length: 40 }, (_none, index) =>
        (index % 2 === 0 ? one : other).orders.place({ petId: 1n }, idempotencyKey),
      ),
    )

    assert.deepEqual(tally(placements), { placed: 1, replayed: 39 })
  })
}
