import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { placeOrder } from '../../../src/inventory/rules/place-order.ts'

const at = Date.UTC(2030, 0, 1)
const author = '{"keyname":"till"}'
const rex = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' } as const
const order = {
  id: 5n,
  petId: 1n,
  status: 'placed',
  placedAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
} as const

test('an order for an available pet makes it pending', () => {
  assert.deepEqual(
    placeOrder(loadedFacts({ pets: [rex], lastIds: { orders: 4n } }), { order: { petId: 1n }, at, author }),
    {
      outcome: { outcome: 'placed', order },
      changes: [
        { type: 'pet.updated', before: rex, pet: { ...rex, status: 'pending' }, at, author },
        { type: 'order.placed', order, at, author },
      ],
    },
  )
})

for (const status of ['pending', 'sold'] as const) {
  test(`a ${status} pet cannot be ordered`, () => {
    const facts = loadedFacts({ pets: [{ ...rex, status }] })

    assert.deepEqual(placeOrder(facts, { order: { petId: 1n }, at }), {
      outcome: { outcome: 'taken', status },
      changes: [],
    })
  })
}

test('a pet without a status cannot be ordered', () => {
  const facts = loadedFacts({ pets: [{ id: 1n, name: 'Rex', categoryId: 1n }] })

  const decision = placeOrder(facts, { order: { petId: 1n }, at })

  assert.deepEqual(decision, { outcome: { outcome: 'taken', status: undefined }, changes: [] })
})

test('a pet that does not exist cannot be ordered, and the key of the request is not remembered', () => {
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'of 1' }

  const decision = placeOrder(loadedFacts({}), { order: { petId: 1n }, idempotencyKey, at })

  assert.deepEqual(decision, { outcome: { outcome: 'missing' }, changes: [] })
})

test('of two who order the same pet the first gets it', () => {
  const facts = loadedFacts({ pets: [rex] })
  const first = placeOrder(facts, { order: { petId: 1n }, at })
  for (const change of first.changes) facts.apply(change)

  const second = placeOrder(facts, { order: { petId: 1n }, at })

  assert.deepEqual([first.outcome.outcome, second.outcome.outcome], ['placed', 'taken'])
})

test('an order whose idempotency key was used before replays its answer, though the pet is pending now', () => {
  const facts = loadedFacts({ pets: [rex], lastIds: { orders: 4n } })
  const command = { order: { petId: 1n }, idempotencyKey: { keyId: 'key_a', name: 'once', fingerprint: 'of 1' }, at }
  for (const change of placeOrder(facts, command).changes) facts.apply(change)

  assert.deepEqual(placeOrder(facts, command), { outcome: { outcome: 'replayed', order }, changes: [] })
})

test('an order is placed for whom it is said to be, with its note', () => {
  const texts = { customer: 'Ada', note: 'Collects on Saturday.' }

  const decision = placeOrder(loadedFacts({ pets: [rex], lastIds: { orders: 4n } }), {
    order: { petId: 1n, ...texts },
    at,
  })

  assert.deepEqual(decision.outcome, { outcome: 'placed', order: { ...order, ...texts } })
})
