import type { Static } from 'typebox'
import { Int64 } from './int64-schema.ts'
import { Type } from './schema.ts'

export const OrderStatus = Type.Enum(['placed', 'completed', 'cancelled'], {
  $id: 'OrderStatus',
  type: 'string',
  description: 'Where an order stands: open (`placed`), or closed in one of two ways.',
  examples: ['placed'],
})
export type OrderStatus = Static<typeof OrderStatus>

const example = {
  id: 1,
  petId: 7,
  status: 'placed',
  placedAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
}

const PetId = Type.Unsafe<bigint>({ ...Int64, description: 'The animal that is ordered.', examples: [7] })

export const NewOrder = Type.Object(
  { petId: PetId },
  {
    $id: 'NewOrder',
    description: 'An order to place. Members other than these are ignored.',
    examples: [{ petId: 7 }],
  },
)
export type NewOrder = Static<typeof NewOrder>

export const OrderChange = Type.Object(
  {
    status: Type.Enum(['completed', 'cancelled'], {
      type: 'string',
      description: '`completed` makes the animal `sold`, `cancelled` makes it `available` again.',
      examples: ['completed'],
    }),
  },
  {
    $id: 'OrderChange',
    description: 'How an open order ends. Members other than these are ignored.',
    examples: [{ status: 'completed' }],
  },
)
export type OrderChange = Static<typeof OrderChange>

export const Order = Type.Object(
  {
    id: Type.Unsafe<bigint>({ ...Int64, description: 'Unique identifier, never used twice.', examples: [1] }),
    petId: PetId,
    status: OrderStatus,
    placedAt: time('When the order was placed.'),
    updatedAt: time('When its status last changed.'),
  },
  { $id: 'Order', description: 'An order for one animal.', examples: [example] },
)
export type Order = Static<typeof Order>

export const Orders = Type.Array(Order, {
  $id: 'Orders',
  description: 'A page of orders.',
  examples: [[example]],
})

function time(description: string) {
  return Type.String({ format: 'date-time', description, examples: [example.placedAt] })
}
