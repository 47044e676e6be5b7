import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { updateOrder } from '../../../src/inventory/rules/update-order.ts'

const at = Date.UTC(2030, 0, 2)
const author = '{"keyname":"till"}'
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

    assert.deepEqual(
      updateOrder(loadedFacts({ pets: [rex], orders: [placed] }), { id: 5n, change: { status }, at, author }),
      {
        outcome: { outcome: 'updated', order },
        changes: [
          { type: 'pet.updated', before: rex, pet: { ...rex, status: petStatus }, at, author },
          { type: `order.${status}`, order, at, author },
        ],
      },
    )
  })
}

test('an order is closed once, and a change that would close it again changes nothing', () => {
  const order = { ...placed, status: 'completed' } as const
  const facts = loadedFacts({ pets: [{ ...rex, status: 'sold' }], orders: [order] })

  const decision = updateOrder(facts, { id: 5n, change: { status: 'cancelled', note: 'late' }, at })

  assert.deepEqual(decision, { outcome: { outcome: 'closed', order }, changes: [] })
})

test('a precondition that does not hold keeps the order open', () => {
  const facts = loadedFacts({ pets: [rex], orders: [placed] })

  const decision = updateOrder(facts, {
    id: 5n,
    change: { status: 'completed' },
    precondition: { match: ['"other"'] },
    at,
  })

  assert.deepEqual(decision, { outcome: { outcome: 'unmet' }, changes: [] })
})

test('an order that does not exist cannot be changed', () => {
  const decision = updateOrder(loadedFacts({}), { id: 5n, change: { status: 'completed' }, at })

  assert.deepEqual(decision, { outcome: { outcome: 'missing' }, changes: [] })
})

const ada = { customer: 'Ada', note: 'Saturday' }

for (const [change, texts] of [
  [{ customer: 'Ada' }, { customer: 'Ada', note: 'Saturday' }],
  [{ note: 'Sunday' }, { customer: 'Bob', note: 'Sunday' }],
  [{ customer: null }, { note: 'Saturday' }],
  [{ customer: null, note: null }, {}],
] as const) {
  test(`a change of ${JSON.stringify(change)} leaves the rest of the order, makes no event and is no change of status`, () => {
    const facts = loadedFacts({ pets: [rex], orders: [{ ...placed, customer: 'Bob', note: 'Saturday' }] })

    const decision = updateOrder(facts, { id: 5n, change, at })

    const order = { ...placed, ...texts }
    assert.deepEqual(decision, {
      outcome: { outcome: 'updated', order },
      changes: [{ type: 'order.described', order }],
    })
  })
}

for (const change of [{}, ada, { customer: 'Ada' }]) {
  test(`a change of ${JSON.stringify(change)} to an order that is so already changes nothing`, () => {
    const order = { ...placed, ...ada }

    const decision = updateOrder(loadedFacts({ orders: [order] }), { id: 5n, change, at })

    assert.deepEqual(decision, { outcome: { outcome: 'updated', order }, changes: [] })
  })
}

test('an order is closed and described by one change', () => {
  const facts = loadedFacts({ pets: [rex], orders: [{ ...placed, note: 'Saturday' }] })

  const decision = updateOrder(facts, { id: 5n, change: { status: 'completed', customer: 'Ada', note: null }, at })

  const order = { ...placed, status: 'completed', updatedAt: '2030-01-02T00:00:00.000Z', customer: 'Ada' }
  assert.deepEqual(decision.outcome, { outcome: 'updated', order })
  assert.deepEqual(
    decision.changes.map(({ type }) => type),
    ['pet.updated', 'order.completed'],
  )
})

test('the texts of a closed order can be corrected', () => {
  const closed = { ...placed, status: 'completed', ...ada } as const

  const decision = updateOrder(loadedFacts({ orders: [closed] }), { id: 5n, change: { note: null }, at })

  const order = { ...placed, status: 'completed', customer: 'Ada' }
  assert.deepEqual(decision.outcome, { outcome: 'updated', order })
})

test('the next change of an order finds the texts of the one before', () => {
  const facts = loadedFacts({ pets: [rex], orders: [placed] })
  for (const change of updateOrder(facts, { id: 5n, change: ada, at }).changes) facts.apply(change)

  assert.deepEqual(facts.find('orders', 5n), { ...placed, ...ada })
})
