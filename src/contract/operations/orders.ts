import type { Static } from 'typebox'
import { bodyErrors, type Operation } from '../operation.ts'
import { maxOrdersSearched, NewOrder, Order, OrderChange, Orders, OrderStatus } from '../order.ts'
import {
  cursor,
  id,
  idempotencyKey,
  type IdSort,
  limitOf,
  newestFirst,
  preconditions,
  sort,
  wordFilter,
} from '../parameters.ts'
import { Type } from '../schema.ts'

const search = {
  things: 'orders',
  stability: 'experimental',
  remark: ` A request looks through up to ${maxOrdersSearched} orders: its page may be short, or empty, and yet have a next one.`,
} as const

const customer = wordFilter({ ...search, text: 'customer', example: 'ada' })
const petName = wordFilter({ ...search, text: 'animal’s name', example: 'luna' })

export const ListOrdersQuery = Type.Object({
  limit: limitOf('orders'),
  status: Type.Optional(Type.Unsafe<OrderStatus>({ ...OrderStatus, 'x-use': 'Returns only orders with this status.' })),
  petId: Type.Optional(id('Returns only orders for this animal.', 2)),
  customer,
  petName,
  sort: sort<IdSort>(['id', '-id'], newestFirst),
  cursor: cursor(),
})
export type ListOrdersQuery = Static<typeof ListOrdersQuery>

export const listOrders = {
  id: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  summary: 'List orders',
  description:
    'Returns a page of orders, ascending by id unless `sort` says otherwise. Paging works as for `GET /pets`.',
  permission: 'read',
  stability: 'beta',
  isNamedInContract: true,
  parameters: { query: ListOrdersQuery },
  success: { status: 200, description: 'A page of orders.', body: Orders, headers: ['Link', 'Next-Cursor', 'ETag'] },
  errors: [],
} as const satisfies Operation

const orderPath = Type.Object({ orderId: id('The identifier of the order.', 2) })

export const getOrder = {
  id: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  summary: 'Get an order',
  description: 'Returns one order. Its `ETag` is the one to send in `If-Match` when the order is changed.',
  permission: 'read',
  stability: 'beta',
  parameters: { path: orderPath },
  success: { status: 200, description: 'The requested order.', body: Order, headers: ['ETag'] },
  errors: ['not_found'],
} as const satisfies Operation

export const placeOrder = {
  id: 'placeOrder',
  method: 'POST',
  path: '/store/orders',
  summary: 'Order an animal',
  description:
    'Orders an `available` animal, which becomes `pending`. If several clients order the same animal at once, one succeeds ' +
    'and the others get 409. With an `Idempotency-Key` a retry is safe, as with `POST /pets`.',
  permission: 'write',
  stability: 'experimental',
  parameters: { header: idempotencyKey('order an animal') },
  body: NewOrder,
  success: {
    status: 201,
    description: 'Order placed; the animal is `pending`.',
    body: Order,
    headers: ['Location', 'ETag', 'Idempotent-Replayed'],
    links: {
      getOrder: {
        operationId: 'getOrder',
        description: 'Reads the new order.',
        parameters: { orderId: '$response.body#/id' },
      },
    },
  },
  errors: [...bodyErrors, 'conflict', 'idempotency_mismatch'],
  errorMeanings: { conflict: 'The animal is not available, or the same request is still in flight.' },
} as const satisfies Operation

export const updateOrder = {
  id: 'updateOrder',
  method: 'PATCH',
  path: '/store/orders/{orderId}',
  summary: 'Change, complete or cancel an order',
  description:
    'Changes the members that are sent and leaves the others as they are; null removes `customer` or `note`, which can be ' +
    'changed when the order is closed too. `status` closes an open order: `completed` makes the animal `sold`, `cancelled` ' +
    'makes it `available` again. With `If-Match` the change is made only if nobody has changed the order since it was read.',
  permission: 'write',
  stability: 'experimental',
  parameters: { path: orderPath, header: preconditions('order') },
  body: OrderChange,
  isMergePatch: true,
  success: { status: 200, description: 'The order as it is now.', body: Order, headers: ['ETag'] },
  errors: ['not_found', ...bodyErrors, 'conflict', 'precondition_failed'],
  errorMeanings: { conflict: 'The order is closed: its status cannot change.' },
} as const satisfies Operation
