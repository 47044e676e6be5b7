import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { removePet } from '../../../src/inventory/rules/remove-pet.ts'

const at = Date.UTC(2030, 0, 1)
const author = '{"keyname":"till"}'
const rex = { id: 1n, name: 'Rex', categoryId: 1n, status: 'pending' } as const
const placed = { id: 1n, petId: 1n, status: 'placed', placedAt: '', updatedAt: '' } as const

test('a pet without an open order can be removed', () => {
  const facts = loadedFacts({ pets: [rex], orders: [{ ...placed, status: 'completed' }] })

  assert.deepEqual(removePet(facts, { id: 1n, at, author }), {
    outcome: { outcome: 'removed' },
    changes: [{ type: 'pet.deleted', pet: rex, at, author }],
  })
})

test('an open order keeps its pet', () => {
  const facts = loadedFacts({ pets: [rex], orders: [placed] })

  assert.deepEqual(removePet(facts, { id: 1n, at }), { outcome: { outcome: 'ordered' }, changes: [] })
})

test('a precondition is compared before the order', () => {
  const facts = loadedFacts({ pets: [rex], orders: [placed] })
  const command = { id: 1n, precondition: { match: ['"other"'] }, at }

  assert.deepEqual(removePet(facts, command), { outcome: { outcome: 'unmet' }, changes: [] })
})

test('a pet that does not exist cannot be removed', () => {
  assert.deepEqual(removePet(loadedFacts({}), { id: 1n, at }), { outcome: { outcome: 'missing' }, changes: [] })
})
