import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCategory } from '../../../src/contract/category.ts'
import { entityTag } from '../../../src/inventory/precondition.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { putCategory } from '../../../src/inventory/rules/put-category.ts'

const dogs = { id: 1n, name: 'Dogs' }
const hounds = { id: 1n, name: 'Hounds' }

test('a category is added or renamed, and makes no event', () => {
  const changes = [{ type: 'resource.put', table: 'categories', item: hounds }]

  assert.deepEqual(putCategory(loadedFacts({}), { category: hounds }), { outcome: { outcome: 'added' }, changes })
  assert.deepEqual(putCategory(loadedFacts({ categories: [dogs] }), { category: hounds }), {
    outcome: { outcome: 'renamed' },
    changes,
  })
})

test('If-None-Match: * adds a category and renames none', () => {
  const precondition = { noneMatch: ['*'] }

  const added = putCategory(loadedFacts({}), { category: dogs, precondition })
  const refused = putCategory(loadedFacts({ categories: [dogs] }), { category: hounds, precondition })

  assert.equal(added.outcome.outcome, 'added')
  assert.deepEqual(refused, { outcome: { outcome: 'unmet' }, changes: [] })
})

test('If-Match renames the category that has the tag and adds none', () => {
  const precondition = { match: [entityTag(encodeCategory(dogs))] }

  const renamed = putCategory(loadedFacts({ categories: [dogs] }), { category: hounds, precondition })
  const refused = putCategory(loadedFacts({}), { category: hounds, precondition })

  assert.equal(renamed.outcome.outcome, 'renamed')
  assert.deepEqual(refused, { outcome: { outcome: 'unmet' }, changes: [] })
})
