import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryMembers, decodeCategory, encodeCategory } from '../../src/contract/category.ts'
import type { Member } from '../../src/contract/members.ts'
import { decodeOrder, encodeOrder, type Order, orderMembers } from '../../src/contract/order.ts'
import { decodePet, encodePet, type Pet, petMembers } from '../../src/contract/pet.ts'
import { type KeyRow, toKey } from '../../src/storage/shared/rows/key-row.ts'
import { petColumns, toPet, toPetRow } from '../../src/storage/shared/rows/pet-row.ts'
import { resourceRows } from '../../src/storage/shared/rows/resource-rows.ts'

// What is written out by hand for speed must know every member of the tables in contract/.

const pet = withEveryMember(petMembers) as unknown as Pet
const order = withEveryMember(orderMembers) as unknown as Order

test('the JSON of an animal has every member, in order', () => {
  assert.deepEqual(Object.keys(JSON.parse(encodePet(pet)) as object), Object.keys(petMembers))
  assert.deepEqual(decodePet(encodePet(pet)), pet)
})

test('the row of an animal has every member', () => {
  assert.equal(toPetRow(pet).length, petColumns.split(', ').length)
  assert.deepEqual(toPet(toPetRow(pet)), pet)
})

test('the JSON of an order has every member, in order', () => {
  assert.deepEqual(Object.keys(JSON.parse(encodeOrder(order)) as object), Object.keys(orderMembers))
  assert.deepEqual(decodeOrder(encodeOrder(order)), order)
})

test('the row of an order has every member', () => {
  const { toItem, toRow } = resourceRows.orders

  assert.deepEqual(toItem(toRow(order)), order)
})

test('the JSON of a category has every member, in order', () => {
  const category = { id: 9007199254740993n, name: 'Dogs' }

  assert.deepEqual(Object.keys(JSON.parse(encodeCategory(category)) as object), Object.keys(categoryMembers))
  assert.deepEqual(decodeCategory(encodeCategory(category)), category)
})

test('a key without a name, of an unknown permission or with a time that is none cannot be read', () => {
  const row: KeyRow = ['key_a', 'Desk', 'read', 0n, null, null, null, null]
  const broken = [row.with(1, null), row.with(1, ''), row.with(2, 'owner'), row.with(3, 2n ** 60n)] as KeyRow[]

  assert.deepEqual(toKey(row), { id: 'key_a', name: 'Desk', permission: 'read', createdAt: 0 })
  for (const each of broken) assert.throws(() => toKey(each), { name: 'UnreadableRow' }, String(each))
})

function withEveryMember(members: Readonly<Record<string, Member>>): Record<string, unknown> {
  const known: Record<string, unknown> = { status: members === petMembers ? 'sold' : 'placed' }
  const samples = { int64: 9007199254740993n, text: 'a "text"', time: '2026-11-15T09:30:00.000Z' }
  return Object.fromEntries(Object.entries(members).map(([name, { type }]) => [name, known[name] ?? samples[type]]))
}
