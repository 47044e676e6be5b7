import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { removeCategory } from '../../../src/inventory/rules/remove-category.ts'

const at = Date.UTC(2030, 0, 1)
const dogs = { id: 1n, name: 'Dogs' }
const rex = { id: 1n, name: 'Rex', categoryId: 1n }
const removed = {
  outcome: { outcome: 'removed' },
  changes: [{ type: 'resource.removed', table: 'categories', id: 1n }],
}

test('a category without pets can be removed', () => {
  for (const petCounts of [[], [{ categoryId: 1n, pets: 0n }], [{ categoryId: 2n, pets: 3n }]]) {
    assert.deepEqual(removeCategory(loadedFacts({ categories: [dogs], petCounts }), { id: 1n }), removed)
  }
})

test('a pet keeps its category', () => {
  const facts = loadedFacts({ categories: [dogs], petCounts: [{ categoryId: 1n, pets: 1n }] })

  assert.deepEqual(removeCategory(facts, { id: 1n }), { outcome: { outcome: 'used' }, changes: [] })
})

test('a category without a name cannot be removed, whether or not pets have it', () => {
  const facts = loadedFacts({ petCounts: [{ categoryId: 1n, pets: 1n }] })

  assert.deepEqual(removeCategory(facts, { id: 1n }), { outcome: { outcome: 'missing' }, changes: [] })
})

test('a precondition is compared before the pets', () => {
  const facts = loadedFacts({ categories: [dogs], petCounts: [{ categoryId: 1n, pets: 1n }] })

  const decision = removeCategory(facts, { id: 1n, precondition: { match: ['"other"'] } })

  assert.deepEqual(decision, { outcome: { outcome: 'unmet' }, changes: [] })
})

test('a decision sees the pets that were added, moved and removed just before', () => {
  const facts = loadedFacts({ categories: [dogs], petCounts: [{ categoryId: 1n, pets: 0n }] })
  const outcome = () => removeCategory(facts, { id: 1n }).outcome.outcome
  const elsewhere = { ...rex, categoryId: 2n }

  facts.apply({ type: 'pet.created', pet: rex, at })
  assert.equal(outcome(), 'used')
  facts.apply({ type: 'pet.updated', before: rex, pet: elsewhere, at })
  assert.equal(outcome(), 'removed')
  facts.apply({ type: 'pet.updated', before: elsewhere, pet: rex, at })
  assert.equal(outcome(), 'used')
  facts.apply({ type: 'pet.deleted', pet: rex, at })
  assert.equal(outcome(), 'removed')
  facts.apply({ type: 'resource.removed', table: 'categories', id: 1n })
  assert.equal(outcome(), 'missing')
})
