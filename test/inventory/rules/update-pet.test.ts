import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePet } from '../../../src/contract/pet.ts'
import { entityTag } from '../../../src/inventory/precondition.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { updatePet } from '../../../src/inventory/rules/update-pet.ts'

const at = Date.UTC(2030, 0, 1)
const author = '{"keyname":"till"}'
const rex = { id: 1n, name: 'Rex', categoryId: 1n, status: 'pending' } as const
const placed = { id: 1n, petId: 1n, status: 'placed', placedAt: '', updatedAt: '' } as const
const inStock = loadedFacts({ pets: [rex] })
const onOrder = loadedFacts({ pets: [rex], orders: [placed] })

test('a change replaces the members that it names and keeps the others', () => {
  const pet = { ...rex, name: 'Max' }

  assert.deepEqual(updatePet(inStock, { id: 1n, change: { name: 'Max' }, at, author }), {
    outcome: { outcome: 'updated', pet },
    changes: [{ type: 'pet.updated', before: rex, pet, at, author }],
  })
})

test('a status of null takes the status away', () => {
  const { outcome } = updatePet(inStock, { id: 1n, change: { status: null }, at })

  assert.deepEqual(outcome, { outcome: 'updated', pet: { id: 1n, name: 'Rex', categoryId: 1n } })
})

test('a change without effect succeeds and leaves no event, also while there is an open order', () => {
  for (const change of [{}, { name: 'Rex', categoryId: 1n, status: 'pending' } as const]) {
    assert.deepEqual(updatePet(onOrder, { id: 1n, change, at }), {
      outcome: { outcome: 'updated', pet: rex },
      changes: [],
    })
  }
})

test('an open order blocks a change of the status and no other', () => {
  const ofStatus = updatePet(onOrder, { id: 1n, change: { status: 'sold', name: 'Max' }, at })
  const ofName = updatePet(onOrder, { id: 1n, change: { name: 'Max' }, at })

  assert.deepEqual(ofStatus, { outcome: { outcome: 'ordered' }, changes: [] })
  assert.equal(ofName.outcome.outcome, 'updated')
})

test('a closed order blocks nothing', () => {
  const facts = loadedFacts({ pets: [rex], orders: [{ ...placed, status: 'cancelled' }] })

  assert.equal(updatePet(facts, { id: 1n, change: { status: 'sold' }, at }).outcome.outcome, 'updated')
})

test('a change needs the tag that If-Match names', () => {
  const matching = { match: [entityTag(encodePet(rex))] }
  const change = { name: 'Max' }

  assert.equal(updatePet(inStock, { id: 1n, change, precondition: matching, at }).outcome.outcome, 'updated')
  assert.deepEqual(updatePet(inStock, { id: 1n, change, precondition: { match: ['"other"'] }, at }), {
    outcome: { outcome: 'unmet' },
    changes: [],
  })
})

test('a pet that does not exist cannot be changed, whatever the precondition', () => {
  const command = { id: 2n, change: { name: 'Max' }, precondition: { match: ['*'] }, at }

  assert.deepEqual(updatePet(inStock, command), { outcome: { outcome: 'missing' }, changes: [] })
})
