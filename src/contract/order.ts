import type { Static } from 'typebox'
import { id } from './parameters.ts'
import { timesLike, Type } from './schema.ts'
import { codecOf } from './json.ts'
import { membersOf } from './members.ts'
import { PetName } from './pet.ts'

export const OrderStatus = Type.Enum(['placed', 'completed', 'cancelled'], {
  $id: 'OrderStatus',
  type: 'string',
  description: 'Where an order stands: open (`placed`), or closed in one of two ways.',
  examples: ['placed'],
})
export type OrderStatus = Static<typeof OrderStatus>

/** Of the sandbox's demo shop. */
const example = {
  id: 2,
  petId: 2,
  status: 'placed',
  placedAt: '2026-01-06T09:00:00.000Z',
  updatedAt: '2026-01-06T09:00:00.000Z',
  customer: 'Ada Lovelace',
  note: 'Collects on Saturday.',
}

const time = timesLike(example.placedAt)

const PetId = id('The animal that is ordered.', 7)

const Customer = Type.String({
  ...PetName,
  maxLength: 200,
  description: 'Who the animal is for: 1 to 200 characters, not only white space, no NUL. Kept exactly as sent.',
  examples: ['Ada Lovelace'],
})

const Note = Type.String({
  ...PetName,
  maxLength: 1000,
  description: 'A note about the order: 1 to 1000 characters, not only white space, no NUL. Kept exactly as sent.',
  examples: ['Collects on Saturday.'],
})

const texts = { customer: Type.Optional(Customer), note: Type.Optional(Note) }

/** The most orders that one request with `customer` or `petName` looks through. */
export const maxOrdersSearched = 20_000

export const NewOrder = Type.Object(
  { petId: PetId, ...texts },
  {
    $id: 'NewOrder',
    description: 'An order to place. Unknown members are ignored.',
    examples: [{ petId: 7, customer: 'Ada Lovelace' }],
  },
)
export type NewOrder = Static<typeof NewOrder>

export const OrderChange = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(['completed', 'cancelled'], {
        type: 'string',
        description:
          'Closes an open order: `completed` makes the animal `sold`, `cancelled` makes it `available` again.',
        examples: ['completed'],
      }),
    ),
    customer: Type.Optional(removable(Customer, 'Who the animal is for; null removes it.')),
    note: Type.Optional(removable(Note, 'A note about the order; null removes it.')),
  },
  {
    $id: 'OrderChange',
    description: 'The members to change. The others stay as they are; unknown members are ignored.',
    examples: [{ status: 'completed' }],
  },
)
export type OrderChange = Static<typeof OrderChange>

export const Order = Type.Object(
  {
    id: id('Unique identifier, never used twice.', 2),
    petId: PetId,
    status: OrderStatus,
    placedAt: time('When the order was placed.'),
    updatedAt: time('When its status last changed.'),
    ...texts,
  },
  {
    $id: 'Order',
    description: 'An order for one animal. `customer` and `note` are absent if the order has none, and in events.',
    examples: [example],
  },
)
export type Order = Static<typeof Order>

export const orderMembers = membersOf(Order, { privateMembers: ['customer', 'note'] })

export const { encode: encodeOrder, decode: decodeOrder } = codecOf<Order>(orderMembers)

export const Orders = Type.Array(Order, {
  $id: 'Orders',
  description: 'A page of orders.',
  examples: [[example]],
})

function removable(text: typeof Note, description: string) {
  const { examples, ...rule } = text as typeof text & { examples: string[] }
  return Type.Unsafe<string | null>({ anyOf: [rule, { type: 'null' }], description, examples })
}
