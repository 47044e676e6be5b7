import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCategory, maxNewCategoryId } from '../../../src/inventory/rules/create-category.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const at = Date.UTC(2030, 0, 1)
const time = new Date(at).toISOString()
const webhook = {
  url: 'https://example.com/',
  format: 'json',
  createdAt: time,
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: time,
} as const
const dogs = { category: { name: 'Dogs' }, at }

for (const [highestCategoryId, id] of [
  [undefined, 1n],
  [-9_223_372_036_854_775_808n, 1n],
  [-1n, 1n],
  [0n, 1n],
  [1n, 2n],
  [7n, 8n],
  [maxNewCategoryId - 1n, maxNewCategoryId],
] as const) {
  test(`where ${highestCategoryId ?? 'none'} is the highest id in use, a new category gets ${id}`, () => {
    assert.deepEqual(createCategory(loadedFacts({ highestCategoryId }), dogs), {
      outcome: { outcome: 'created', category: { id, name: 'Dogs' } },
      changes: [{ type: 'resource.put', table: 'categories', item: { id, name: 'Dogs' } }],
    })
  })
}

test('the highest id that a new category may have is exact as a JSON number, and so is the next', () => {
  assert.ok(Number.isSafeInteger(Number(maxNewCategoryId + 1n)))
})

test('where the last id is in use, no category can be added, and the key is not remembered', () => {
  const idempotencyKey = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  const decision = createCategory(loadedFacts({ highestCategoryId: maxNewCategoryId }), { ...dogs, idempotencyKey })

  assert.deepEqual(decision, { outcome: { outcome: 'exhausted' }, changes: [] })
})

test('a new category is above those that were used just before, by name or by a pet', () => {
  const facts = loadedFacts({ highestCategoryId: 1n })
  const rex = { id: 1n, name: 'Rex', categoryId: 5n }
  const idOfNext = () => (createCategory(facts, dogs).outcome as { category: { id: bigint } }).category.id

  for (const change of createCategory(facts, dogs).changes) facts.apply(change)
  assert.equal(idOfNext(), 3n)
  facts.apply({ type: 'pet.created', pet: rex, at })
  assert.equal(idOfNext(), 6n)
  facts.apply({ type: 'pet.updated', before: rex, pet: { ...rex, categoryId: 8n }, at })
  assert.equal(idOfNext(), 9n)
  facts.apply({ type: 'resource.put', table: 'categories', item: { id: 9_223_372_036_854_775_807n, name: 'Lost' } })
  assert.equal(idOfNext(), 9n)
})

test('a category that is used just before without any in use counts too, and a lower one does not', () => {
  const facts = loadedFacts({})
  for (const id of [5n, 3n]) facts.apply({ type: 'resource.put', table: 'categories', item: { id, name: 'Cats' } })
  facts.apply({ type: 'resource.put', table: 'webhooks', item: { ...webhook, id: 9n } })

  assert.equal(facts.highestCategoryId(), 5n)
})

test('where the last id was used just before, no category can be added', () => {
  const facts = loadedFacts({})
  facts.apply({ type: 'resource.put', table: 'categories', item: { id: maxNewCategoryId, name: 'Last' } })

  assert.deepEqual(createCategory(facts, dogs).outcome, { outcome: 'exhausted' })
})

test('a request whose key was used before gets the same category again', () => {
  const command = { ...dogs, idempotencyKey: { keyId: 'key_a', name: 'once', fingerprint: 'of Dogs' } }
  const facts = loadedFacts({})
  for (const change of createCategory(facts, command).changes) facts.apply(change)

  const again = createCategory(facts, command)
  const other = createCategory(facts, { ...command, idempotencyKey: { ...command.idempotencyKey, fingerprint: 'x' } })

  const category = { id: 1n, name: 'Dogs' }
  assert.deepEqual(again, { outcome: { outcome: 'replayed', category }, changes: [] })
  assert.deepEqual(other, { outcome: { outcome: 'mismatch' }, changes: [] })
})
