import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const rex = { id: 1n, name: 'Rex', categoryId: 1n } as const
const time = '2030-01-01T00:00:00.000Z'
const url = 'https://example.com/'
const webhook = {
  id: 1n,
  url,
  format: 'json' as const,
  createdAt: time,
  secret: 'whsec_',
  startsAfter: 0n,
  activeSince: time,
}

test('a rule that asks for a resource which it does not need by name fails, instead of finding none', () => {
  const facts = loadedFacts({ pets: [rex], isNeeded: (table, id) => table === 'pets' && id < 3n })

  assert.deepEqual(facts.find('pets', 1n), rex)
  assert.equal(facts.find('pets', 2n), undefined)
  assert.throws(() => facts.find('pets', 3n), /A rule asks for 3 of pets, which is not among its needs\./)
})

test('what was loaded with a needed resource is found, also if no rule named it', () => {
  assert.deepEqual(loadedFacts({ pets: [rex], isNeeded: () => false }).find('pets', 1n), rex)
})

test('a rule that counts a table which it does not need by name fails', () => {
  const facts = loadedFacts({})
  facts.apply({ type: 'resource.put', table: 'webhooks', item: webhook })

  assert.throws(() => facts.countRows('webhooks'), /A rule counts webhooks, which is not among its needs\./)
})

test('a row that is replaced, or was not there, is not counted again', () => {
  const facts = loadedFacts({ webhooks: [webhook], rowCounts: { webhooks: 1 } })
  facts.apply({ type: 'resource.put', table: 'webhooks', item: { ...webhook, description: 'new' } })
  facts.apply({ type: 'resource.removed', table: 'webhooks', id: 2n })

  assert.equal(facts.countRows('webhooks'), 1)
})

test('a pet that was deleted just before is gone', () => {
  const facts = loadedFacts({ pets: [rex] })
  facts.apply({ type: 'pet.deleted', pet: rex, at: 0 })

  assert.equal(facts.find('pets', 1n), undefined)
})

for (const status of ['completed', 'cancelled'] as const) {
  test(`a pet has an open order from the moment it is placed until it is ${status}`, () => {
    const facts = loadedFacts({ pets: [rex] })
    const placed = { id: 5n, petId: 1n, status: 'placed', placedAt: time, updatedAt: time } as const

    facts.apply({ type: 'order.placed', order: placed, at: 0 })
    assert.deepEqual([facts.find('orders', 5n), facts.hasOpenOrder(1n)], [placed, true])

    facts.apply({ type: `order.${status}`, order: { ...placed, status }, at: 0 })
    assert.deepEqual([facts.find('orders', 5n), facts.hasOpenOrder(1n)], [{ ...placed, status }, false])
  })
}

test('a key that was made or changed just before is known, without its hash', () => {
  const key = { id: 'ann', name: 'ann', permission: 'admin', createdAt: 0 } as const
  const facts = loadedFacts({})

  facts.apply({ type: 'key.created', key: { ...key, hash: 'hash' } })
  assert.deepEqual([facts.key('ann'), facts.adminKeys()], [key, [key]])

  facts.apply({ type: 'key.changed', key: { ...key, revokedAt: 1 } })
  assert.deepEqual([facts.key('ann'), facts.adminKeys()], [{ ...key, revokedAt: 1 }, []])
})

test('a change without an event takes no id of one', () => {
  const facts = loadedFacts({ lastIds: { events: 7n } })
  facts.apply({ type: 'resource.put', table: 'webhooks', item: webhook })
  assert.equal(facts.lastEventId(), 7n)

  facts.apply({ type: 'pet.created', pet: rex, at: 0 })
  assert.equal(facts.lastEventId(), 8n)
})

test('the next id is above every id that was assigned before and in the same group', () => {
  const facts = loadedFacts({ lastIds: { pets: 4n } })
  facts.apply({ type: 'pet.created', pet: { ...rex, id: 5n }, at: 0 })
  facts.apply({ type: 'pet.deleted', pet: { ...rex, id: 5n }, at: 0 })

  assert.equal(facts.nextId('pets'), 6n)
  assert.equal(facts.nextId('orders'), 1n)
  facts.apply({ type: 'pet.updated', before: rex, pet: rex, at: 0 })
  assert.equal(facts.nextId('pets'), 6n)
  facts.apply({ type: 'resource.put', table: 'webhooks', item: webhook })
  assert.equal(facts.nextId('webhooks'), 2n)
})
