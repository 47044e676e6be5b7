import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const rex = { id: 1n, name: 'Rex', categoryId: 1n } as const

test('a rule that asks for a resource which it does not need by name fails, instead of finding none', () => {
  const facts = loadedFacts({ pets: [rex], isNeeded: (table, id) => table === 'pets' && id < 3n })

  assert.deepEqual(facts.find('pets', 1n), rex)
  assert.equal(facts.find('pets', 2n), undefined)
  assert.throws(() => facts.find('pets', 3n), /A rule asks for 3 of pets, which is not among its needs\./)
})

test('the next id is above every id that was assigned before and in the same group', () => {
  const facts = loadedFacts({ lastIds: { pets: 4n } })
  facts.apply({ type: 'pet.created', pet: { ...rex, id: 5n }, at: 0 })
  facts.apply({ type: 'pet.deleted', pet: { ...rex, id: 5n }, at: 0 })

  assert.equal(facts.nextId('pets'), 6n)
  assert.equal(facts.nextId('orders'), 1n)
})
