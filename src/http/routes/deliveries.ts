import { randomUUID } from 'node:crypto'
import { encodeDelivery, encodeTest, testType } from '../../contract/delivery.ts'
import { encodeEvent } from '../../contract/event.ts'
import { int64FromText } from '../../contract/int64.ts'
import { encodePosition } from '../../contract/position.ts'
import {
  listDeliveries,
  maxRequestedDeliveriesOfAll,
  resendDelivery,
  testWebhook,
} from '../../contract/operations/deliveries.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Deliveries } from '../../inventory/deliveries.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Events } from '../../inventory/events.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { endOf } from '../../inventory/page.ts'
import type { Endpoint, Webhooks } from '../../inventory/webhooks.ts'
import type { AddressRules } from '../../webhooks/addresses.ts'
import { deliverNow, type RequestedMessage } from '../../webhooks/deliver-now.ts'
import type { DeliveryObserver } from '../../webhooks/delivering.ts'
import type { Exchange, Reply, Route } from '../exchange.ts'
import { decodeCursor, encodeCursor, nextPage } from '../replies/cursor.ts'
import { jsonReply } from '../replies/json.ts'
import { encodeBody } from '../replies/page-body.ts'
import { encodedPage, pageReply } from '../replies/page.ts'
import { operationRoute } from '../route.ts'
import { deliveryLimit } from './delivery-limit.ts'

export interface DeliveryRoutesOptions {
  webhooks: Webhooks
  deliveries: Deliveries
  events: Events
  addresses: AddressRules
  /** The `source` of every event. */
  source: string
  /** The time of the shop. */
  clock: Clock
  /** Ends what is being sent. */
  stopping: AbortSignal
  /** Hears of every try. */
  tried?: DeliveryObserver['tried'] | undefined
  /** Counts the deliveries of all shops of the process. */
  beginDelivery?: (() => () => void) | undefined
}

export function deliveryRoutes(options: DeliveryRoutesOptions): Route[] {
  const { webhooks, deliveries, events, addresses, source, clock, stopping, tried } = options
  const begin = deliveryLimit(maxRequestedDeliveriesOfAll)

  async function endpointOf({ webhookId }: { webhookId: string }): Promise<Endpoint> {
    const id = int64FromText(webhookId)
    const endpoint = id === undefined ? undefined : await webhooks.endpoint(id)
    if (endpoint === undefined) throw new PetStoreError('not_found', 'No webhook has this id.')
    return endpoint
  }

  /** The receiver decides how long it takes, so only some run at once. */
  async function sendNow(
    { findings: { key } }: Exchange,
    endpoint: Endpoint,
    message: RequestedMessage,
  ): Promise<Reply> {
    const end = begin((key as ApiKey).id)
    let endOfShop: (() => void) | undefined
    try {
      endOfShop = options.beginDelivery?.()
      const parts = { deliveries, addresses, shopClock: clock, signal: stopping, tried }
      const sent = await deliverNow(message, endpoint, parts)
      return jsonReply(encodeDelivery(sent))
    } finally {
      end()
      endOfShop?.()
    }
  }

  return [
    operationRoute(listDeliveries, async ({ params, query: { limit, cursor } }, exchange) => {
      const { id: webhookId } = await endpointOf(params)
      const scope = `deliveries ${webhookId}`
      const page = await deliveries.list(webhookId, limit, decodeCursor(cursor, scope)?.id)
      const id = endOf(page)
      const path = `/webhooks/${webhookId}/deliveries`
      const next = id === undefined ? undefined : nextPage(path, {}, limit, { cursor: encodeCursor({ id }, scope) })
      return pageReply(exchange, encodedPage(await encodeBody(page.items, encodeDelivery, exchange), { next }))
    }),

    operationRoute(resendDelivery, async ({ params }, exchange) => {
      const endpoint = await endpointOf(params)
      const id = int64FromText(params.deliveryId)
      const earlier = id === undefined ? undefined : await deliveries.find(endpoint.id, id)
      if (earlier === undefined) throw new PetStoreError('not_found', 'The webhook has no try with this id.')
      const { eventId } = earlier
      if (eventId === undefined) {
        throw new PetStoreError('conflict', 'This try was a test, which is not kept: send another test.')
      }
      const [event] = (await events.list(1, eventId - 1n)).items
      if (event?.id !== eventId || event.isUnreadable) {
        const { lineage } = earlier
        const id = encodePosition({ id: eventId, lineage })
        throw new PetStoreError('conflict', `The event ${id} is no longer kept, so it cannot be sent again.`)
      }
      const body = encodeEvent(event, source)
      return sendNow(exchange, endpoint, { id: encodePosition(event), body, type: earlier.type, event })
    }),

    operationRoute(testWebhook, async ({ params }, exchange) => {
      const endpoint = await endpointOf(params)
      const id = `test_${randomUUID()}`
      return sendNow(exchange, endpoint, { id, body: encodeTest(id, source, clock()), type: testType })
    }),
  ]
}
