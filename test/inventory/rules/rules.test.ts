import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxComparedLength } from '../../../src/inventory/name-words.ts'
import { ruleCost } from '../../../src/inventory/rules/rules.ts'

const longName = 'a'.repeat(maxComparedLength)
const at = 0

test('a write costs more with the words of a name that it stores', () => {
  assert.equal(ruleCost('createPet', { pet: { name: 'Rex', categoryId: 1n }, at }), 0)
  assert.equal(ruleCost('createPet', { pet: { name: longName, categoryId: 1n }, at }), 20)
  assert.equal(ruleCost('updatePet', { id: 1n, change: { name: longName }, at }), 20)
})

test('a write that stores no name of a pet costs no more than the cheapest', () => {
  assert.equal(ruleCost('updatePet', { id: 1n, change: { status: 'sold' }, at }), 0)
  assert.equal(ruleCost('putCategory', { category: { id: 1n, name: longName }, at }), 0)
  assert.equal(ruleCost('removePet', { id: 1n, at }), 0)
})

test('a change of many pets costs what was found for them', () => {
  assert.equal(ruleCost('changePets', { ids: [1n, 2n], cost: 42, filter: {}, change: { status: 'sold' }, at }), 42)
})
