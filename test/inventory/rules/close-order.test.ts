import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeOrder } from '../../../src/inventory/rules/close-order.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const at = Date.UTC(2030, 0, 2)
const rex = { id: 1n, name: 'Rex', categoryId: 1n, status: 'pending' } as const
const placed = {
  id: 5n,
  petId: 1n,
  status: 'placed',
  placedAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
} as const

for (const [status, petStatus] of [
  ['completed', 'sold'],
  ['cancelled', 'available'],
] as const) {
  test(`an order that is ${status} makes its pet ${petStatus}`, () => {
    const order = { ...placed, status, updatedAt: '2030-01-02T00:00:00.000Z' }

    assert.deepEqual(closeOrder(loadedFacts({ pets: [rex], orders: [placed] }), { id: 5n, status, at }), {
      outcome: { outcome: 'updated', order },
      changes: [
        { type: 'pet.updated', before: rex, pet: { ...rex, status: petStatus }, at },
        { type: `order.${status}`, order, at },
      ],
    })
  })
}

test('an order that is closed stays as it is', () => {
  const order = { ...placed, status: 'completed' } as const
  const facts = loadedFacts({ pets: [{ ...rex, status: 'sold' }], orders: [order] })

  const decision = closeOrder(facts, { id: 5n, status: 'cancelled', at })

  assert.deepEqual(decision, { outcome: { outcome: 'closed', order }, changes: [] })
})

test('a precondition that does not hold keeps the order open', () => {
  const facts = loadedFacts({ pets: [rex], orders: [placed] })

  const decision = closeOrder(facts, { id: 5n, status: 'completed', precondition: { match: ['"other"'] }, at })

  assert.deepEqual(decision, { outcome: { outcome: 'unmet' }, changes: [] })
})

test('an order that does not exist cannot be closed', () => {
  const decision = closeOrder(loadedFacts({}), { id: 5n, status: 'completed', at })

  assert.deepEqual(decision, { outcome: { outcome: 'missing' }, changes: [] })
})
