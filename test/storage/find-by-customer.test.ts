import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxOrdersSearched, type Order } from '../../src/contract/order.ts'
import type { Orders } from '../../src/inventory/orders.ts'
import { withCustomerSearch } from '../../src/storage/shared/reads/find-by-customer.ts'
import { engines } from '../support/engines.ts'

for (const engine of engines) {
  test(`${engine.name}: orders are found by the words of their customers, in each direction and with filters`, async (t) => {
    const { pets, orders } = await engine.open(t)
    const customers = ['Ada Lovelace', undefined, 'Zoë Adams', 'Grace Hopper', 'ADA', 'Lady Ada, Countess of Lovelace']
    for (const [index, customer] of customers.entries()) {
      await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
      await orders.place({ petId: BigInt(index + 1), ...(customer !== undefined && { customer }) })
    }
    await orders.update(5n, { status: 'completed' })
    const find = (query: Parameters<Orders['list']>[0]) => walk(orders, query, 2)

    assert.deepEqual(await find({ customer: 'ada' }), [1n, 3n, 5n, 6n])
    assert.deepEqual(await find({ customer: 'lovelace àda' }), [1n, 6n])
    assert.deepEqual(await find({ customer: 'zoe' }), [3n])
    assert.deepEqual(await find({ customer: 'ada', sort: '-id' }), [6n, 5n, 3n, 1n])
    assert.deepEqual(await find({ customer: 'ada', status: 'placed' }), [1n, 3n, 6n])
    assert.deepEqual(await find({ customer: 'ada', petId: 3n }), [3n])
    assert.deepEqual(await find({ customer: 'dams' }), [])
    await orders.update(3n, { customer: null })
    assert.deepEqual(await find({ customer: 'ada', status: 'placed' }), [1n, 6n])
  })
}

test('a search by customer looks through a part of many orders, and the next page continues there', async () => {
  const all = Array.from({ length: maxOrdersSearched + 2 }, (_, index) => orderOf(BigInt(index + 1)))
  for (const position of [0, maxOrdersSearched - 1, maxOrdersSearched])
    Object.assign(all[position] as Order, { customer: 'Ada' })
  const list = withCustomerSearch(async (_query, limit, after) => {
    const items = all.filter(({ id }) => id > after).slice(0, limit)
    const more = (items.at(-1)?.id ?? 0n) < BigInt(all.length)
    return { items, more }
  })
  const ada = { customer: 'ada' }

  const page = await list(ada, 20, 0n)
  const { items, ...rest } = page

  assert.deepEqual(ids(items), [1n, BigInt(maxOrdersSearched)])
  const end = BigInt(maxOrdersSearched)
  assert.deepEqual(rest, { more: true, next: end })
  assert.deepEqual(ids((await list(ada, 20, end)).items), [end + 1n])
  assert.deepEqual(await list({ customer: 'grace' }, 20, 0n), { items: [], ...rest })
  assert.deepEqual(await list(ada, 1, 0n), { items: [all[0]], more: true, next: 1n })
})

async function walk(orders: Orders, query: Parameters<Orders['list']>[0], limit: number): Promise<bigint[]> {
  const found: bigint[] = []
  let page = await orders.list(query, limit, 0n)
  found.push(...ids(page.items))
  while (page.more) {
    page = await orders.list(query, limit, page.next ?? 0n)
    found.push(...ids(page.items))
  }
  return found
}

function ids(orders: readonly Order[]): bigint[] {
  return orders.map(({ id }) => id)
}

function orderOf(id: bigint): Order {
  const at = '2030-01-01T00:00:00.000Z'
  return { id, petId: id, status: 'placed', placedAt: at, updatedAt: at }
}
