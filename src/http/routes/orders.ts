import { int64FromText } from '../../contract/int64.ts'
import { encodeOrder } from '../../contract/json.ts'
import { isOffered, type Offer } from '../../contract/operations/operations.ts'
import { getOrder, listOrders, ListOrdersQuery, placeOrder, updateOrder } from '../../contract/operations/orders.ts'
import { NewOrder, OrderChange } from '../../contract/order.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import type { Orders, Placement } from '../../inventory/orders.ts'
import { endOf } from '../../inventory/page.ts'
import type { DirectCreates } from '../direct/create.ts'
import type { App } from '../fastify-types.ts'
import { authorOf } from '../request/author.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { type CreatedParts, sendCreated } from '../replies/created.ts'
import { sendResource, sendTagged } from '../replies/etag.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, sendPage } from '../replies/page.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'

export interface OrderRoutesOptions {
  orders: Orders
  creates: DirectCreates
  inFlight: KeysInFlight
  offer: Offer
}

export function orderRoutes(app: App, { orders, creates, inFlight, offer }: OrderRoutesOptions): void {
  if (isOffered(listOrders, offer)) listOrdersRoute(app, orders)
  if (isOffered(getOrder, offer)) getOrderRoute(app, orders)
  if (isOffered(placeOrder, offer)) placeOrderRoute(app, orders, { creates, inFlight })
  if (isOffered(updateOrder, offer)) updateOrderRoute(app, orders)
}

function listOrdersRoute(app: App, orders: Orders): void {
  const options = { schema: { querystring: ListOrdersQuery }, config: { operation: listOrders } }
  app.get('/store/orders', options, async (request, reply) => {
    const { limit, cursor, status, petId, sort } = request.query
    const customer = request.query.customer && encodeURIComponent(request.query.customer)
    const search = customer === undefined ? '' : ` customer=${customer}`
    const scope = `orders ${status ?? ''} ${petId ?? ''}${search}${sort === '-id' ? ' -id' : ''}`
    const after = decodeCursor(cursor, scope)
    const page = await orders.list(request.query, limit, after?.id ?? 0n, after?.history)
    const id = endOf(page)
    const cursorAfter = id === undefined ? undefined : encodeCursor({ id, history: page.history }, scope)
    const filter = { status, petId, customer, sort }
    const next = cursorAfter && nextPage('/store/orders', filter, limit, { cursor: cursorAfter })
    const body = await encodeBody(page.items, encodeOrder)
    sendPage(request, reply, encodedPage(body, { next, isSearch: customer !== undefined }))
    return reply
  })
}

function getOrderRoute(app: App, orders: Orders): void {
  app.get<{ Params: { orderId: string } }>(
    '/store/orders/:orderId',
    { config: { operation: getOrder } },
    async (request, reply) => {
      const id = int64FromText(request.params.orderId)
      const order = id === undefined ? undefined : await orders.find(id)
      if (order === undefined) throw missing()
      sendResource(request, reply, encodeOrder(order))
      return reply
    },
  )
}

function placeOrderRoute(
  app: App,
  orders: Orders,
  { creates, inFlight }: Pick<OrderRoutesOptions, 'creates' | 'inFlight'>,
): void {
  async function create(
    input: NewOrder,
    idempotencyKey: IdempotencyKey | undefined,
    author: string,
  ): Promise<CreatedParts> {
    const placement = await inFlight(idempotencyKey, () => orders.place(input, idempotencyKey, author))
    if (!('order' in placement)) throw refused(input.petId, placement)
    const { outcome, order } = placement
    return { path: `/store/orders/${order.id}`, body: encodeOrder(order), outcome }
  }

  creates.add({ operation: placeOrder, path: '/v1/store/orders', body: NewOrder, identify, create })
  app.post(
    '/store/orders',
    { schema: { body: NewOrder }, config: { operation: placeOrder } },
    async (request, reply) => {
      const idempotencyKey = idempotencyKeyOf(request, () => identify(request.body))
      sendCreated(request, reply, await create(request.body, idempotencyKey, authorOf(request)))
      return reply
    },
  )
}

function updateOrderRoute(app: App, orders: Orders): void {
  app.patch<{ Params: { orderId: string }; Body: OrderChange }>(
    '/store/orders/:orderId',
    {
      schema: { body: OrderChange },
      config: { operation: updateOrder },
    },
    async (request, reply) => {
      const id = int64FromText(request.params.orderId)
      if (id === undefined) throw missing()
      const update = await orders.update(id, request.body, preconditionOf(request), authorOf(request))
      if (update.outcome === 'missing') throw missing()
      if (update.outcome === 'unmet') throw preconditionFailed(request, 'order')
      if (update.outcome === 'closed') {
        throw new PetStoreError('conflict', `The order is ${update.order.status}: its status cannot change any more.`)
      }
      sendTagged(reply, encodeOrder(update.order))
      return reply
    },
  )
}

/** What a fingerprint is made of. Without texts it is that of the version before, whose keys are still remembered. */
function identify({ petId, customer, note }: NewOrder): string {
  const hasTexts = customer !== undefined || note !== undefined
  return hasTexts ? `order ${petId} ${JSON.stringify([customer, note])}` : `order ${petId}`
}

function missing(): PetStoreError {
  return new PetStoreError('not_found', 'No order has this id.')
}

function refused(petId: bigint, placement: Exclude<Placement, { order: unknown }>): PetStoreError {
  switch (placement.outcome) {
    case 'mismatch':
      return idempotencyMismatch()
    case 'missing':
      return new PetStoreError('conflict', `No animal has the id ${petId}.`)
    case 'taken':
      return new PetStoreError(
        'conflict',
        `The animal is ${placement.status ?? 'without a status'}: only an available one can be ordered.`,
      )
  }
}
