import { int64FromText } from '../../contract/int64.ts'
import { getOrder, listOrders, placeOrder, updateOrder } from '../../contract/operations/orders.ts'
import { encodeOrder, type NewOrder } from '../../contract/order.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Orders, Placement } from '../../inventory/orders.ts'
import { endOf } from '../../inventory/page.ts'
import type { Route } from '../exchange.ts'
import { idempotencyKeyOf, idempotencyMismatch, type KeysInFlight } from '../request/idempotency-key.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { createdReply } from '../replies/created.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { changedReply, resourceReply } from '../replies/etag.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { operationRoute } from '../route.ts'

export interface OrderRoutesOptions {
  orders: Orders
  inFlight: KeysInFlight
}

export function orderRoutes({ orders, inFlight }: OrderRoutesOptions): Route[] {
  return [
    operationRoute(listOrders, async ({ query }, exchange) => {
      const { limit, cursor, status, petId, sort } = query
      const customer = query.customer && encodeURIComponent(query.customer)
      const petName = query.petName && encodeURIComponent(query.petName)
      const search =
        (customer === undefined ? '' : ` customer=${customer}`) + (petName === undefined ? '' : ` petName=${petName}`)
      const scope = `orders ${status ?? ''} ${petId ?? ''}${search}${sort === '-id' ? ' -id' : ''}`
      const after = decodeCursor(cursor, scope)
      const page = await orders.list(query, limit, after?.id ?? 0n, exchange.caller)
      const id = endOf(page)
      const filter = { status, petId, customer, petName, sort }
      const next =
        id === undefined ? undefined : nextPage('/store/orders', filter, limit, { cursor: encodeCursor({ id }, scope) })
      const body = await encodeBody(page.items, encodeOrder, exchange)
      return pageReply(exchange, encodedPage(body, { next, isSearch: search !== '' }))
    }),

    operationRoute(getOrder, async ({ params }) => {
      const id = int64FromText(params.orderId)
      const order = id === undefined ? undefined : await orders.find(id)
      if (order === undefined) throw missing()
      return resourceReply(encodeOrder(order))
    }),

    operationRoute(placeOrder, async ({ body }, exchange) => {
      const idempotencyKey = idempotencyKeyOf(exchange, () => identify(body))
      const placement = await inFlight(idempotencyKey, () => orders.place(body, idempotencyKey, exchange.author))
      if (!('order' in placement)) throw refused(body.petId, placement)
      const { outcome, order } = placement
      return createdReply(exchange, { path: `/store/orders/${order.id}`, body: encodeOrder(order), outcome })
    }),

    operationRoute(updateOrder, async ({ params, body }, exchange) => {
      const id = int64FromText(params.orderId)
      if (id === undefined) throw missing()
      const update = await orders.update(id, body, preconditionOf(exchange.request), exchange.author)
      if (update.outcome === 'missing') throw missing()
      if (update.outcome === 'unmet') throw preconditionFailed(exchange.request, 'order')
      if (update.outcome === 'closed') {
        throw new PetStoreError('conflict', `The order is ${update.order.status}: its status cannot change any more.`)
      }
      return changedReply(encodeOrder(update.order))
    }),
  ]
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
