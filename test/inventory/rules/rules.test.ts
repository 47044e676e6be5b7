import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxComparedLength } from '../../../src/inventory/name-words.ts'
import type { Needs } from '../../../src/inventory/rules/facts.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'
import { type Command, isRule, type RuleName, ruleCost, rules } from '../../../src/inventory/rules/rules.ts'

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

const newKey = { id: 'key_b', name: 'b', permission: 'read', hash: 'hash', createdAt: at } as const
const invitation = { name: 'Ann', permission: 'read', hash: 'hash' } as const
const category = { id: 3n, name: 'Dogs' }
const keyless = { resources: { invitations: [5n] }, keys: [] }

/** By rule: a command, and what it needs. */
const needs: { [Name in RuleName]: readonly (readonly [Command<Name>, Needs])[] } = {
  createPet: [[{ pet: { name: 'Rex', categoryId: 1n }, at }, {}]],
  updatePet: [[{ id: 1n, change: {}, at }, { resources: { pets: [1n] } }]],
  removePet: [[{ id: 1n, at }, { resources: { pets: [1n] } }]],
  changePets: [[{ ids: [1n, 2n], cost: 0, filter: {}, change: 'delete', at }, { resources: { pets: [1n, 2n] } }]],
  undoImport: [
    [
      { id: 1n, added: 2n, after: 0n, petIds: [2n, 3n], cost: 0, at },
      { resources: { imports: [1n], pets: [2n, 3n] }, oldestEventId: true, changedPets: [2n, 3n] },
    ],
  ],
  placeOrder: [[{ order: { petId: 1n }, at }, { resources: { pets: [1n] } }]],
  updateOrder: [[{ id: 4n, change: {}, at }, { resources: { orders: [4n] } }]],
  putCategory: [[{ category }, { resources: { categories: [3n] } }]],
  createCategory: [[{ category, at }, { highestCategoryId: true }]],
  removeCategory: [[{ id: 3n }, { resources: { categories: [3n] }, emptyCategories: [3n] }]],
  createKey: [
    [newKey, { keys: ['key_b'] }],
    [{ ...newKey, by: 'key_a' }, { keys: ['key_b', 'key_a'] }],
  ],
  renameKey: [[{ id: 'key_b', name: 'c', at, by: 'key_a' }, { keys: ['key_b', 'key_a'] }]],
  revokeKey: [[{ id: 'key_b', at, by: 'key_a' }, { keys: ['key_b', 'key_a'] }]],
  rotateKey: [[{ id: 'key_a', replacement: newKey, until: at }, { keys: ['key_a'] }]],
  createInvitation: [
    [{ invitation, at }, { keys: [] }],
    [{ invitation, at, by: 'key_a' }, { keys: ['key_a'] }],
  ],
  removeInvitation: [
    [{ id: 5n, at }, keyless],
    [
      { id: 5n, at, by: 'key_a' },
      { ...keyless, keys: ['key_a'] },
    ],
  ],
  redeemInvitation: [
    [
      { id: 5n, hash: 'hash', key: newKey, at, by: 'key_a' },
      { ...keyless, keys: ['key_a'] },
    ],
  ],
  createWebhook: [[{ webhook: { url: 'https://example.com/' }, secret: 'whsec_', at }, { rowCounts: ['webhooks'] }]],
  updateWebhook: [[{ id: 6n, change: {}, at }, { resources: { webhooks: [6n] } }]],
  removeWebhook: [[{ id: 6n }, { resources: { webhooks: [6n] } }]],
  rotateWebhook: [[{ id: 6n, secret: 'whsec_', at }, { resources: { webhooks: [6n] } }]],
  disableWebhook: [[{ id: 6n, reason: 'gone', at }, { resources: { webhooks: [6n] } }]],
}

for (const name of Object.keys(rules) as RuleName[]) {
  test(`${name} names what it needs, and asks for no more`, () => {
    const { needs: needsOf, decide } = rules[name]
    for (const [command, expected] of needs[name]) {
      assert.deepEqual(needsOf(command as never), expected)
      const isNeeded = (table: keyof NonNullable<Needs['resources']>, id: bigint) =>
        expected.resources?.[table]?.includes(id) === true
      const rowCounts = Object.fromEntries((expected.rowCounts ?? []).map((table) => [table, 0]))
      assert.ok(decide(loadedFacts({ isNeeded, rowCounts }), command as never))
    }
  })
}

test('a name is that of a rule only if there is such a rule', () => {
  assert.deepEqual(['createPet', 'createpet', 'toString'].map(isRule), [true, false, false])
})
