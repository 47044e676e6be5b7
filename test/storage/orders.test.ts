import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Order } from '../../src/contract/order.ts'
import type { NewPet, PetStatus } from '../../src/contract/pet.ts'
import type { IdempotencyKey } from '../../src/inventory/idempotency-key.ts'
import type { OrderFilter, Orders } from '../../src/inventory/orders.ts'
import type { Clock } from '../../src/inventory/clock.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { engines, postgres, sqlite } from '../support/engines.ts'

const day = 24 * 60 * 60 * 1000
const newYear = Date.UTC(2030, 0, 1)
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const idempotencyKey: IdempotencyKey = { keyId: 'key_a', name: 'first try', fingerprint: 'of an order for 1' }
/** The first order of a shop, placed for animal 1 at New Year. */
const firstOrder: Order = {
  id: 1n,
  petId: 1n,
  status: 'placed',
  placedAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
}
const awkwardTexts = ['Ada', '🐇 \u{10ffff}', ' \t x\r\n\u2028', `"'\\"';--`, '\u0001\u007f', 'NULL', '{1,2}', '\\N']

for (const engine of engines) {
  /** A shop with so many available animals. */
  async function open(t: TestContext, animals: number, clock: Clock = () => newYear): Promise<Storage> {
    const storage = await engine.open(t, clock)
    for (let added = 0; added < animals; added++) await storage.pets.create(rex)
    return storage
  }

  test(`${engine.name}: a new shop has no orders`, async (t) => {
    const { orders } = await open(t, 1)

    assert.deepEqual(await orders.list({}, 20, 0n), { items: [], more: false })
  })

  test(`${engine.name}: place resolves to an open order with its new id and the time of the clock`, async (t) => {
    const { orders } = await open(t, 1)

    const placement = await orders.place({ petId: 1n })

    assert.deepEqual(placement, { outcome: 'placed', order: firstOrder })
    assert.deepEqual(await orders.list({}, 20, 0n), { items: [firstOrder], more: false })
  })

  test(`${engine.name}: place makes its animal pending and updates the counts`, async (t) => {
    const { orders, pets } = await open(t, 2)

    await orders.place({ petId: 2n })

    assert.deepEqual(await pets.find(2n), { id: 2n, ...rex, status: 'pending' })
    assert.deepEqual(await pets.find(1n), { id: 1n, ...rex })
    assert.equal(await pets.count({ status: 'pending' }), 1n)
    assert.equal(await pets.count({ status: 'available' }), 1n)
  })

  test(`${engine.name}: place keeps the customer and the note byte for byte`, async (t) => {
    const { orders } = await open(t, awkwardTexts.length)

    for (const [index, text] of awkwardTexts.entries()) {
      await orders.place({ petId: BigInt(index + 1), customer: text, note: `${text}.` })
    }

    const { items } = await orders.list({}, 20, 0n)
    assert.deepEqual(
      items.map(({ customer, note }) => [customer, note]),
      awkwardTexts.map((text) => [text, `${text}.`]),
    )
    assert.deepEqual(await orders.find(1n), items[0])
  })

  test(`${engine.name}: update changes and removes the texts of an open order and nothing else`, async (t) => {
    const { orders, pets, events } = await open(t, 1)
    await orders.place({ petId: 1n, customer: 'Ada', note: 'Saturday' })
    const latest = await events.latest()

    const changed = await orders.update(1n, { note: 'Sunday' })
    const removed = await orders.update(1n, { customer: null })
    const nothing = await orders.update(1n, {})

    assert.deepEqual(changed, { outcome: 'updated', order: { ...firstOrder, customer: 'Ada', note: 'Sunday' } })
    assert.deepEqual(removed, { outcome: 'updated', order: { ...firstOrder, note: 'Sunday' } })
    assert.deepEqual(nothing, removed)
    assert.deepEqual(await orders.find(1n), { ...firstOrder, note: 'Sunday' })
    assert.equal((await pets.find(1n))?.status, 'pending')
    assert.deepEqual(await events.latest(), latest)
  })

  test(`${engine.name}: the texts of a closed order can be corrected, without an event`, async (t) => {
    const { orders, pets, events } = await open(t, 1)
    await orders.place({ petId: 1n, customer: 'Ada' })
    await orders.update(1n, { status: 'completed', note: 'Paid' })
    const latest = await events.latest()

    const update = await orders.update(1n, { customer: 'Ada Lovelace', note: null })

    const order = { ...firstOrder, status: 'completed', customer: 'Ada Lovelace' }
    assert.deepEqual(update, { outcome: 'updated', order })
    assert.deepEqual(await orders.find(1n), order)
    assert.equal((await pets.find(1n))?.status, 'sold')
    assert.deepEqual(await events.latest(), latest)
  })

  test(`${engine.name}: a change that is refused changes no text`, async (t) => {
    const { orders } = await open(t, 1)
    await orders.place({ petId: 1n, customer: 'Ada' })
    await orders.update(1n, { status: 'cancelled' })
    const before = await orders.find(1n)

    const updates = [
      await orders.update(1n, { status: 'completed', customer: 'Bob' }),
      await orders.update(1n, { customer: 'Bob' }, { match: ['"other"'] }),
      await orders.update(2n, { customer: 'Bob' }),
    ]

    assert.deepEqual(
      updates.map(({ outcome }) => outcome),
      ['closed', 'unmet', 'missing'],
    )
    assert.deepEqual(await orders.find(1n), before)
  })

  test(`${engine.name}: concurrent changes of the texts of one order are all made, one after the other`, async (t) => {
    const { orders } = await open(t, 1)
    await orders.place({ petId: 1n })

    const updates = await Promise.all([
      orders.update(1n, { customer: 'Ada' }),
      orders.update(1n, { note: 'Saturday' }),
      orders.update(1n, { status: 'completed' }),
      orders.update(1n, { note: 'Sunday' }),
    ])

    assert.deepEqual(
      updates.map(({ outcome }) => outcome),
      ['updated', 'updated', 'updated', 'updated'],
    )
    const order = await orders.find(1n)
    assert.deepEqual([order?.status, order?.customer, order?.note], ['completed', 'Ada', 'Sunday'])
  })

  test(`${engine.name}: the customer and the note of an order are in no event`, async (t) => {
    const { orders, events } = await open(t, 1)
    await orders.place({ petId: 1n, customer: 'Ada Lovelace', note: 'Saturday' })
    await orders.update(1n, { status: 'completed', note: 'Sunday' })

    const { items } = await events.list(20)

    assert.doesNotMatch(items.map(({ data }) => data).join(), /Ada|Saturday|Sunday|customer|note/)
  })

  test(`${engine.name}: a replayed order has the texts that it was placed with`, async (t) => {
    const { orders } = await open(t, 1)
    const placement = await orders.place({ petId: 1n, customer: 'Ada', note: '"Sat"\n' }, idempotencyKey)
    await orders.update(1n, { customer: null, note: null })

    const again = await orders.place({ petId: 1n, customer: 'Ada', note: '"Sat"\n' }, idempotencyKey)

    assert.deepEqual(again, { ...placement, outcome: 'replayed' })
  })

  test(`${engine.name}: place of an unknown animal is missing and writes nothing`, async (t) => {
    const { orders, version } = await open(t, 1)
    const before = version()

    for (const id of [2n, 0n, -1n, int64Max, int64Min])
      assert.deepEqual(await orders.place({ petId: id }), { outcome: 'missing' })

    assert.deepEqual((await orders.list({}, 20, 0n)).items, [])
    assert.equal(version(), before)
  })

  for (const status of ['pending', 'sold', undefined] as const) {
    test(`${engine.name}: place of an animal that is ${status ?? 'without a status'} is taken and writes nothing`, async (t) => {
      const { orders, pets, version } = await open(t, 0)
      await pets.create({ name: 'Rex', categoryId: 1n, ...(status && { status }) })
      const before = version()

      const placement = await orders.place({ petId: 1n })

      assert.deepEqual(placement, { outcome: 'taken', status })
      assert.deepEqual((await orders.list({}, 20, 0n)).items, [])
      assert.equal(version(), before)
    })
  }

  test(`${engine.name}: of 200 concurrent orders for one animal exactly one is placed`, async (t) => {
    const { orders, pets } = await open(t, 1)

    const placements = await Promise.all(Array.from({ length: 200 }, () => orders.place({ petId: 1n })))

    assert.deepEqual(tally(placements), { placed: 1, taken: 199 })
    assert.equal((await orders.list({}, 100, 0n)).items.length, 1)
    assert.equal((await pets.find(1n))?.status, 'pending')
  })

  test(`${engine.name}: concurrent orders for many animals place each of them once`, async (t) => {
    const { orders } = await open(t, 10)

    const placements = await Promise.all(
      Array.from({ length: 100 }, (_none, index) => orders.place({ petId: BigInt(index % 10) + 1n })),
    )

    assert.deepEqual(tally(placements), { placed: 10, taken: 90 })
    const { items } = await orders.list({}, 100, 0n)
    assert.equal(new Set(items.map(({ petId }) => petId)).size, 10)
  })

  test(`${engine.name}: an animal is ordered or removed, never both`, async (t) => {
    const { orders, pets } = await open(t, 30)

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
    const { orders } = await open(t, 9)

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
    const { orders } = await open(t, 2)
    await orders.place({ petId: 1n })
    await orders.place({ petId: 1n })
    await orders.place({ petId: 5n })

    const placement = await orders.place({ petId: 2n })

    assert.equal(placed(placement).id, 2n)
  })

  test(`${engine.name}: completed makes the animal sold and sets the time`, async (t) => {
    let now = newYear
    const { orders, pets } = await open(t, 1, () => now)
    await orders.place({ petId: 1n })

    now += 90_000
    const update = await orders.update(1n, { status: 'completed' })

    const order = { ...firstOrder, status: 'completed', updatedAt: '2030-01-01T00:01:30.000Z' }
    assert.deepEqual(update, { outcome: 'updated', order })
    assert.deepEqual((await orders.list({}, 20, 0n)).items, [order])
    assert.deepEqual(await pets.find(1n), { id: 1n, ...rex, status: 'sold' })
  })

  test(`${engine.name}: cancelled makes the animal available, and it can be ordered again`, async (t) => {
    const { orders, pets } = await open(t, 1)
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
      const { orders, pets, version } = await open(t, 1, () => now)
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
    const { orders, pets } = await open(t, 1)
    await orders.place({ petId: 1n })
    await orders.update(1n, { status: 'cancelled' })
    await orders.place({ petId: 1n })

    const update = await orders.update(1n, { status: 'completed' })

    assert.equal(update.outcome, 'closed')
    assert.equal((await pets.find(1n))?.status, 'pending')
  })

  test(`${engine.name}: close of an unknown order is missing`, async (t) => {
    const { orders, version } = await open(t, 1)
    await orders.place({ petId: 1n })
    const before = version()

    for (const id of [2n, 0n, -1n, int64Max, int64Min])
      assert.deepEqual(await orders.update(id, { status: 'completed' }), { outcome: 'missing' })

    assert.equal(version(), before)
  })

  test(`${engine.name}: of concurrent closes of an order exactly one succeeds`, async (t) => {
    const { orders, pets } = await open(t, 1)
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
    const { orders, pets } = await open(t, 1)
    await orders.place({ petId: 1n })
    await orders.update(1n, { status: 'completed' })

    await pets.remove(1n)

    assert.deepEqual((await orders.list({ petId: 1n }, 20, 0n)).items, [{ ...firstOrder, status: 'completed' }])
  })

  test(`${engine.name}: the same Idempotency-Key returns the first order and places none`, async (t) => {
    let now = newYear
    const { orders } = await open(t, 1, () => now)
    await orders.place({ petId: 1n }, idempotencyKey)

    now += day - 1
    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', order: firstOrder })
    assert.equal((await orders.list({}, 20, 0n)).items.length, 1)
  })

  test(`${engine.name}: a replay returns the order as it was placed, even if it is closed`, async (t) => {
    const { orders, pets } = await open(t, 1)
    await orders.place({ petId: 1n }, idempotencyKey)
    await orders.update(1n, { status: 'completed' })
    await pets.remove(1n)

    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'replayed', order: firstOrder })
  })

  test(`${engine.name}: concurrent orders with one Idempotency-Key place one order`, async (t) => {
    const { orders } = await open(t, 1)

    const placements = await Promise.all(Array.from({ length: 20 }, () => orders.place({ petId: 1n }, idempotencyKey)))

    assert.deepEqual(tally(placements), { placed: 1, replayed: 19 })
    for (const placement of placements) assert.deepEqual('order' in placement && placement.order, firstOrder)
  })

  test(`${engine.name}: the same Idempotency-Key with another body is a mismatch and writes nothing`, async (t) => {
    const { orders, pets, version } = await open(t, 2)
    await orders.place({ petId: 1n }, idempotencyKey)
    const before = version()

    const again = await orders.place({ petId: 2n }, { ...idempotencyKey, fingerprint: 'of an order for 2' })

    assert.deepEqual(again, { outcome: 'mismatch' })
    assert.equal((await pets.find(2n))?.status, 'available')
    assert.equal(version(), before)
  })

  test(`${engine.name}: an Idempotency-Key of a create does not replay for an order`, async (t) => {
    const { orders, pets } = await open(t, 1)
    await pets.create(rex, { ...idempotencyKey, fingerprint: 'of Rex' })

    const placement = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(placement, { outcome: 'mismatch' })
    assert.equal((await pets.find(1n))?.status, 'available')
  })

  test(`${engine.name}: an Idempotency-Key of an order does not replay for a create`, async (t) => {
    const { orders, pets } = await open(t, 1)
    await orders.place({ petId: 1n }, idempotencyKey)

    const creation = await pets.create(rex, { ...idempotencyKey, fingerprint: 'of Rex' })

    assert.deepEqual(creation, { outcome: 'mismatch' })
    assert.equal(await pets.count({}), 1n)
  })

  test(`${engine.name}: Idempotency-Keys of orders are scoped to the API key`, async (t) => {
    const { orders } = await open(t, 1)
    await orders.place({ petId: 1n }, idempotencyKey)

    const other = await orders.place({ petId: 1n }, { ...idempotencyKey, keyId: 'key_b' })

    assert.deepEqual(other, { outcome: 'taken', status: 'pending' })
  })

  test(`${engine.name}: an order refused as taken is not remembered`, async (t) => {
    const { orders } = await open(t, 1)
    await orders.place({ petId: 1n })
    await orders.place({ petId: 1n }, idempotencyKey)
    await orders.update(1n, { status: 'cancelled' })

    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'placed', order: { ...firstOrder, id: 2n } })
  })

  test(`${engine.name}: an order for an unknown animal is not remembered`, async (t) => {
    const { orders, pets } = await open(t, 0)
    await orders.place({ petId: 1n }, idempotencyKey)
    await pets.create(rex)

    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'placed', order: firstOrder })
  })

  test(`${engine.name}: an Idempotency-Key of an order expires after a day`, async (t) => {
    let now = newYear
    const { orders } = await open(t, 1, () => now)
    await orders.place({ petId: 1n }, idempotencyKey)

    now += day + 1
    const again = await orders.place({ petId: 1n }, idempotencyKey)

    assert.deepEqual(again, { outcome: 'taken', status: 'pending' })
  })

  test(`${engine.name}: list returns only orders within`, async (t) => {
    const { orders } = await open(t, 4)
    const all = await fill(orders)

    for (const filter of everyFilter()) {
      await t.test(`status ${filter.status ?? 'any'} and petId ${filter.petId ?? 'any'}`, async () => {
        const expected = all
          .filter(({ status }) => filter.status === undefined || status === filter.status)
          .filter(({ petId }) => filter.petId === undefined || petId === filter.petId)

        assert.deepEqual(await orders.list(filter, 100, 0n), { items: expected, more: false })
        assert.deepEqual(await allPages(orders, filter), expected)
      })
    }
  })

  test(`${engine.name}: a list of orders returns at most limit orders above after`, async (t) => {
    const { orders } = await open(t, 4)
    await fill(orders)

    const first = await orders.list({ petId: 1n }, 2, 0n)
    const exact = await orders.list({ petId: 1n }, 1, 5n)
    const none = await orders.list({ petId: 1n }, 2, 9n)

    assert.deepEqual([idsOf(first.items), first.more], [[1n, 5n], true])
    assert.deepEqual([idsOf(exact.items), exact.more], [[9n], false])
    assert.deepEqual(none, { items: [], more: false })
    assert.deepEqual(await orders.list({ petId: 1n }, 2, int64Max), { items: [], more: false })
  })

  test(`${engine.name}: pages of orders neither repeat nor skip one while others are placed and closed`, async (t) => {
    const { orders } = await open(t, 20)
    for (let petId = 1n; petId <= 9n; petId++) await orders.place({ petId })
    const seen: bigint[] = []
    let next = 10n

    for (let more = true; more; ) {
      const page = await orders.list({}, 2, seen.at(-1) ?? 0n)
      seen.push(...idsOf(page.items))
      await orders.update(next - 9n, { status: 'cancelled' })
      if (next <= 14n) await orders.place({ petId: next++ })
      more = page.more
    }

    assert.deepEqual(
      seen,
      Array.from({ length: 14 }, (_none, index) => BigInt(index) + 1n),
    )
  })

  test(`${engine.name}: orders of a closed storage are unavailable`, async (t) => {
    const storage = await open(t, 1)
    await storage.close()

    await assert.rejects(storage.orders.list({}, 20, 0n), { code: 'unavailable' })
    await assert.rejects(storage.orders.place({ petId: 1n }), { code: 'unavailable' })
    await assert.rejects(storage.orders.update(1n, { status: 'completed' }), { code: 'unavailable' })
  })
}

// Nobody else can open a database in memory.
for (const engine of [sqlite, postgres]) {
  async function openTwice(t: TestContext): Promise<[Storage, Storage]> {
    const url = await engine.url(t)
    const storages: [Storage, Storage] = [await openStorage(url), await openStorage(url)]
    t.after(() => Promise.all(storages.map((storage) => storage.close())))
    return storages
  }

  test(`${engine.name}: of 200 concurrent orders for one animal at two instances exactly one is placed`, async (t) => {
    const [one, other] = await openTwice(t)
    await one.pets.create(rex)

    const placements = await Promise.all(
      Array.from({ length: 200 }, (_none, index) => (index % 2 === 0 ? one : other).orders.place({ petId: 1n })),
    )

    assert.deepEqual(tally(placements), { placed: 1, taken: 199 })
    assert.deepEqual(await one.orders.list({}, 20, 0n), await other.orders.list({}, 20, 0n))
  })

  test(`${engine.name}: two instances never sell an animal twice`, async (t) => {
    const [one, other] = await openTwice(t)
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

  test(`${engine.name}: concurrent orders with one Idempotency-Key at two instances place one order`, async (t) => {
    const [one, other] = await openTwice(t)
    await one.pets.create(rex)

    const placements = await Promise.all(
      Array.from({ length: 40 }, (_none, index) =>
        (index % 2 === 0 ? one : other).orders.place({ petId: 1n }, idempotencyKey),
      ),
    )

    assert.deepEqual(tally(placements), { placed: 1, replayed: 39 })
  })
}

/**
 * Three orders for each of animals 1 to 4: cancelled, cancelled, and one that is open for odd ones, completed for even.
 */
async function fill(orders: Orders): Promise<Order[]> {
  for (const round of [1, 2, 3]) {
    for (let petId = 1n; petId <= 4n; petId++) {
      const { id } = placed(await orders.place({ petId }))
      if (round < 3) await orders.update(id, { status: 'cancelled' })
      else if (petId % 2n === 0n) await orders.update(id, { status: 'completed' })
    }
  }
  const { items } = await orders.list({}, 100, 0n)
  assert.equal(items.length, 12)
  return items
}

function everyFilter(): OrderFilter[] {
  const statuses: OrderFilter[] = [{}, { status: 'placed' }, { status: 'completed' }, { status: 'cancelled' }]
  const animals: OrderFilter[] = [{}, { petId: 1n }, { petId: 2n }, { petId: 5n }, { petId: int64Min }]
  return statuses.flatMap((status) => animals.map((animal) => ({ ...status, ...animal })))
}

async function allPages(orders: Orders, filter: OrderFilter): Promise<Order[]> {
  const all: Order[] = []
  for (;;) {
    const { items, more } = await orders.list(filter, 1, all.at(-1)?.id ?? 0n)
    all.push(...items)
    if (!more) return all
  }
}

function placed(placement: { outcome: string; order?: Order; status?: PetStatus | undefined }): Order {
  assert.ok(placement.order !== undefined, `no order in the outcome ${placement.outcome}`)
  return placement.order
}

function tally(results: readonly { outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

function idsOf(items: readonly Order[]): bigint[] {
  return items.map(({ id }) => id)
}
