import type { Environment } from '../contract/environment.ts'
import { unavailable } from '../inventory/errors.ts'
import type { Clock } from '../inventory/clock.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Storage } from '../inventory/storage.ts'
import { replyFromCache } from './cache/response-cache.ts'
import type { VersionedCache } from './cache/versioned-cache.ts'
import { eventFeed } from './events/event-feed.ts'
import { defaultHeartbeatMs, eventStreams, type StreamLimits } from './events/event-stream.ts'
import { streamKeys } from './events/stream-keys.ts'
import type { Gate, Gates, Route } from './exchange.ts'
import { authenticate, authorize } from './gates/authenticate.ts'
import { readBody } from './gates/body.ts'
import { crossOrigin } from './gates/cors.ts'
import { refuseInvalidMessage } from './gates/http-message.ts'
import { checkInput } from './gates/input.ts'
import { invitationFinder } from './gates/invitation.ts'
import { findRoute, refuseUnknown } from './gates/known-paths.ts'
import { requireMediaType } from './gates/media-type.ts'
import { rateLimits } from './gates/rate-limit.ts'
import { refuseAfterSunset } from './gates/sunset.ts'
import { announceDeprecation } from './replies/deprecation.ts'
import type { Observer } from './replies/observe.ts'
import { idempotencyKeysInFlight } from './request/idempotency-key.ts'
import { routeTable } from './route-table.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { categoryRoutes } from './routes/categories.ts'
import { deliveryRoutes, type DeliveryRoutesOptions } from './routes/deliveries.ts'
import { eventRoutes } from './routes/events.ts'
import { dayRoutes } from './routes/days.ts'
import { importRoutes } from './routes/imports.ts'
import { inventoryRoutes } from './routes/inventory.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { keyRoutes } from './routes/keys.ts'
import { orderRoutes } from './routes/orders.ts'
import { petChangeRoutes } from './routes/pet-changes.ts'
import { petRoutes } from './routes/pets.ts'
import { type ImportLimits, transferRoutes } from './routes/transfer.ts'
import { webhookRoutes, type WebhookRoutesOptions } from './routes/webhooks.ts'

export interface ShopEdgeOptions {
  storage: Storage
  clock: Clock
  observer: Observer
  environment: Environment
  /** The `source` of events: the configured base address, or its path. */
  source: string
  cache: VersionedCache
  /** The time between two heartbeats of an event stream. */
  heartbeatMs?: number | undefined
  streamLimits?: Partial<StreamLimits> | undefined
  /** A key from the settings, identified by its hash; it is not stored. */
  ownKey?: { hash: string; key: ApiKey } | undefined
  /** Called for every use of a stored key. */
  keyUsed: (key: ApiKey, at: number) => void
  corsOrigins: readonly string[]
  /** Requests per minute for each key, and for each client address without a valid key. */
  rateLimit?: number | undefined
  importLimits?: Partial<ImportLimits> | undefined
  /** Which addresses a webhook may have. Default: public ones. */
  webhookAddresses?: WebhookRoutesOptions['addresses'] | undefined
  /** Hears of every test and repetition of a webhook. */
  deliveryTried?: DeliveryRoutesOptions['tried']
  deliveryStall?: WebhookRoutesOptions['stall']
  beginDelivery?: DeliveryRoutesOptions['beginDelivery']
  /** Sees every request first, for tracing. */
  tracing?: Gate | undefined
}

export interface ShopEdge {
  /** The operations of the shop. */
  readonly routes: readonly Route[]
  /** The gates before these routes. The first that refuses a request responds. Then the handler of the route runs. */
  gates(routes: readonly Route[]): Gates
  /** The number of events that the slowest stream has not been sent. */
  lag(): Promise<number>
  /** Ends streams, imports and whatever else may take long. */
  endLongRequests(reason?: 'stopping' | 'reset'): void
}

/** The edge of one shop: everything between a request and the ports of its storage, without a server. */
export function shopEdge(options: ShopEdgeOptions): ShopEdge {
  const { storage, clock, observer, cache, source, ownKey, keyUsed, corsOrigins } = options
  const { pets, orders, categories, events, keys, invitations, imports, webhooks, deliveries } = storage
  const stop = new AbortController()
  const addresses = options.webhookAddresses ?? { allowPrivate: false }
  const limits = options.rateLimit === undefined ? undefined : rateLimits(options.rateLimit, clock)
  const inFlight = idempotencyKeysInFlight()
  const feed = eventFeed(events, source)
  const streams = eventStreams({
    feed,
    keys: streamKeys({ keys, version: () => storage.version(), clock, ownKey: ownKey?.key, keyUsed }),
    heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
    limits: options.streamLimits,
    opened: observer.streamOpened,
    ended: observer.streamEnded,
  })

  return {
    routes: [
      ...petRoutes({ pets, inFlight }),
      ...petChangeRoutes(pets),
      ...bulkRoutes({ pets, events: storage.events, atOneState: storage.atOneState, inFlight }),
      ...transferRoutes({
        ...options,
        pets,
        orders,
        atOneState: storage.atOneState,
        imports,
        keys,
        inFlight,
        stopping: stop.signal,
        failed: observer.failed,
      }),
      ...importRoutes({ imports, inFlight }),
      ...orderRoutes({ orders, inFlight }),
      ...inventoryRoutes(storage),
      ...dayRoutes(storage.days, clock),
      ...categoryRoutes({ categories, inFlight }),
      ...keyRoutes({ keys, environment: options.environment, clock }),
      ...invitationRoutes({ invitations, keys, environment: options.environment, clock }),
      ...webhookRoutes({ webhooks, deliveries, addresses, stall: options.deliveryStall }),
      ...deliveryRoutes({
        ...options,
        webhooks,
        deliveries,
        events,
        addresses,
        stopping: stop.signal,
        tried: options.deliveryTried,
      }),
      ...eventRoutes({ events, streams, source }),
    ],

    gates: (routes) => ({
      findRoute: findRoute(routeTable(routes)),
      tracing: options.tracing,
      announceDeprecation,
      crossOrigin: corsOrigins.length > 0 ? crossOrigin(corsOrigins) : undefined,
      refuseInvalidMessage,
      authenticate: authenticate({
        ...options,
        keys,
        findInvitation: invitationFinder(invitations, clock),
        refuse: limits?.refuse,
      }),
      limitKey: limits?.limitKey,
      refuseUnknown,
      authorize,
      refuseAfterSunset: refuseAfterSunset(clock),
      requireMediaType,
      replyFromCache: replyFromCache(cache),
      readBody,
      checkInput,
    }),

    lag: () => feed.lag(),

    endLongRequests(reason) {
      streams.close(reason)
      stop.abort(reason === 'reset' ? unavailable('The shop was reset.') : undefined)
    },
  }
}
