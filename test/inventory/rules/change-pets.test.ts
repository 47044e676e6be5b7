import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '../../../src/contract/order.ts'
import type { Pet } from '../../../src/contract/pet.ts'
import { changePets } from '../../../src/inventory/rules/change-pets.ts'
import { loadedFacts } from '../../../src/inventory/rules/loaded-facts.ts'

const at = 1_000
const pet = (id: bigint, more: Partial<Pet> = {}): Pet => ({ id, name: `Rex ${id}`, categoryId: 1n, ...more })
const time = '2027-01-01T00:00:00.000Z'
const openOrder = (petId: bigint): Order => ({ id: petId, petId, status: 'placed', placedAt: time, updatedAt: time })

test('each animal is changed by the rule of one, with an event each', () => {
  const before = [pet(1n), pet(2n, { status: 'sold' }), pet(3n, { status: 'pending' })]
  const facts = loadedFacts({ pets: before, orders: [openOrder(3n)] })

  const { outcome, changes } = changePets(facts, {
    ids: [1n, 2n, 3n, 4n],
    cost: 4,
    filter: {},
    change: { status: 'sold' },
    at,
    author: 'me',
  })

  assert.deepEqual(outcome, { outcome: 'done', done: { changed: 1, unchanged: 1, refused: 1, ordered: [3n] } })
  assert.deepEqual(changes, [
    { type: 'pet.updated', before: before[0], pet: pet(1n, { status: 'sold' }), at, author: 'me' },
  ])
})

test('animals are removed unless they have an open order', () => {
  const facts = loadedFacts({ pets: [pet(1n), pet(2n, { status: 'pending' })], orders: [openOrder(2n)] })

  const { outcome, changes } = changePets(facts, { ids: [1n, 2n], cost: 4, filter: {}, change: 'delete', at })

  assert.deepEqual(outcome, { outcome: 'done', done: { changed: 1, unchanged: 0, refused: 1, ordered: [2n] } })
  assert.deepEqual(
    changes.map(({ type }) => type),
    ['pet.deleted'],
  )
})

test('an animal that does not match any more is left alone and not counted', () => {
  const pets = [
    pet(1n, { status: 'sold' }),
    pet(2n, { categoryId: 2n, status: 'available' }),
    pet(3n, { name: 'Tom', status: 'available' }),
    pet(4n, { status: 'available' }),
  ]

  const { outcome, changes } = changePets(loadedFacts({ pets }), {
    ids: [1n, 2n, 3n, 4n],
    cost: 4,
    filter: { status: 'available', categoryId: 1n, name: 'rex' },
    change: 'delete',
    at,
  })

  assert.deepEqual(outcome, { outcome: 'done', done: { changed: 1, unchanged: 0, refused: 0, ordered: [] } })
  assert.deepEqual(changes, [{ type: 'pet.deleted', pet: pets[3], at, author: undefined }])
})

test('the first 100 refused animals are named, all are counted', () => {
  const ids = Array.from({ length: 150 }, (_none, index) => BigInt(index + 1))
  const facts = loadedFacts({ pets: ids.map((id) => pet(id)), orders: ids.map(openOrder) })

  const { outcome } = changePets(facts, { ids, cost: 4, filter: {}, change: 'delete', at })

  assert.ok(outcome.outcome === 'done')
  assert.equal(outcome.done.refused, 150)
  assert.deepEqual(outcome.done.ordered, ids.slice(0, 100))
})

test('a repeated key replays what the first call did, with where it ended', () => {
  const idempotencyKey = { keyId: 'ann', name: 'once', fingerprint: 'a' }
  const facts = loadedFacts({ pets: [pet(2n ** 53n + 1n)], orders: [openOrder(2n ** 53n + 1n)] })
  const next = { after: 2n ** 53n + 1n, upTo: 2n ** 62n }
  const command = { ids: [2n ** 53n + 1n], cost: 4, filter: {}, change: 'delete', next, idempotencyKey, at } as const

  const first = changePets(facts, command)
  for (const change of first.changes) facts.apply(change)
  const again = changePets(facts, { ...command, ids: [], cost: 4 })
  const other = changePets(facts, { ...command, idempotencyKey: { ...idempotencyKey, fingerprint: 'b' } })

  assert.ok(first.outcome.outcome === 'done')
  assert.deepEqual(again, { outcome: { outcome: 'replayed', done: first.outcome.done }, changes: [] })
  assert.deepEqual(first.outcome.done.next, next)
  assert.deepEqual(other, { outcome: { outcome: 'mismatch' }, changes: [] })
})
