import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import type { Order } from '../../src/contract/order.ts'
import type { OrderFilter, Orders } from '../../src/inventory/orders.ts'
import { engines } from '../support/engines.ts'
import { openShop, placed } from '../support/stored-orders.ts'

for (const engine of engines) {
  test(`${engine.name}: list returns only orders within`, async (t) => {
    const { orders } = await openShop(engine, t, 4)
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
    const { orders } = await openShop(engine, t, 4)
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
    const { orders } = await openShop(engine, t, 20)
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

function idsOf(items: readonly Order[]): bigint[] {
  return items.map(({ id }) => id)
}
