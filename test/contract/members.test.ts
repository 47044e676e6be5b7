import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnNames, membersOf } from '../../src/contract/members.ts'
import { orderMembers } from '../../src/contract/order.ts'
import { Int64, Type } from '../../src/contract/schema.ts'

test('the members of a resource have the types of its schema, and columns in snake case', () => {
  const Stay = Type.Object({
    id: Int64,
    placedAt: Type.String({ format: 'date-time' }),
    firstPetId: Type.Optional(Int64),
    status: Type.Optional(Type.Enum(['booked', 'ended'], { type: 'string' })),
  })

  const members = membersOf(Stay, { privateMembers: ['status'] })

  assert.deepEqual(members, {
    id: { column: 'id', type: 'int64', isPrivate: false },
    placedAt: { column: 'placed_at', type: 'time', isPrivate: false },
    firstPetId: { column: 'first_pet_id', type: 'int64', isPrivate: false },
    status: { column: 'status', type: 'text', isPrivate: true },
  })
  assert.deepEqual(columnNames(members), ['id', 'placed_at', 'first_pet_id', 'status'])
})

test('a member that no column can have is refused by its name', () => {
  const Stay = Type.Object({ id: Int64, isPaid: Type.Unsafe<boolean>({ type: 'boolean' }) })

  assert.throws(() => membersOf(Stay), { message: /^isPaid is neither an integer nor a text nor a time/ })
})

test('customer and note are the private members of an order', () => {
  const privateMembers = Object.entries(orderMembers).flatMap(([name, { isPrivate }]) => (isPrivate ? [name] : []))

  assert.deepEqual(privateMembers, ['customer', 'note'])
})
