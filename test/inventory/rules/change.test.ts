import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventOf } from '../../../src/inventory/rules/change.ts'

const at = Date.UTC(2030, 0, 1)
const author = '{"keyname":"till"}'
const pet = { id: 1n, name: 'R"x', categoryId: -9_007_199_254_740_993n, status: 'sold' } as const
const petData = '{"id":1,"name":"R\\"x","categoryId":-9007199254740993,"status":"sold"}'
const placedAt = '2030-01-01T00:00:00.000Z'
const order = { id: 5n, petId: 1n, status: 'placed', placedAt, updatedAt: placedAt } as const

test('every change of a pet makes an event with the wire form of the pet', () => {
  for (const change of [
    { type: 'pet.created', pet, at, author },
    { type: 'pet.updated', before: { ...pet, name: 'Rex' }, pet, at, author },
    { type: 'pet.deleted', pet, at, author },
  ] as const) {
    assert.deepEqual(eventOf(change), { type: change.type, subject: 1n, at, author, data: petData })
  }
})

test('every change of the status of an order makes an event with the order, without what is said of a person', () => {
  const data = `{"id":5,"petId":1,"status":"placed","placedAt":"${placedAt}","updatedAt":"${placedAt}"}`

  for (const texts of [{}, { customer: 'Ada', note: 'Saturday' }]) {
    const event = eventOf({ type: 'order.placed', order: { ...order, ...texts }, at, author })
    assert.deepEqual(event, { type: 'order.placed', subject: 5n, at, author, data })
  }
})

test('a change of the texts of an order makes no event', () => {
  assert.equal(eventOf({ type: 'order.described', order: { ...order, note: 'Saturday' } }), undefined)
})

test('categories and idempotency keys make no event', () => {
  const key = { keyId: 'key_a', name: 'once', fingerprint: 'x' }

  assert.equal(eventOf({ type: 'resource.put', table: 'categories', item: { id: 1n, name: 'Dogs' } }), undefined)
  assert.equal(eventOf({ type: 'resource.removed', table: 'categories', id: 1n }), undefined)
  assert.equal(eventOf({ type: 'response.stored', key, body: '{}', at }), undefined)
})
