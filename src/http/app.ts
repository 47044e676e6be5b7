import type { Environment } from '../contract/environment.ts'
import { isOffered, type Offer } from '../contract/operations/operations.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Clock } from '../inventory/clock.ts'
import type { Storage } from '../inventory/storage.ts'
import { replyFromCache } from './cache/response-cache.ts'
import { versionedCache } from './cache/versioned-cache.ts'
import { eventFeed } from './events/event-feed.ts'
import { eventStreams, type StreamLimits, defaultHeartbeatMs } from './events/event-stream.ts'
import { streamKeys } from './events/stream-keys.ts'
import type { Gate, Route } from './exchange.ts'
import { authenticate, authorize } from './gates/authenticate.ts'
import { readBody } from './gates/body.ts'
import { crossOrigin } from './gates/cors.ts'
import { refuseInvalidMessage } from './gates/http-message.ts'
import { checkInput } from './gates/input.ts'
import { findRoute, refuseUnknown } from './gates/known-paths.ts'
import { requireMediaType } from './gates/media-type.ts'
import { rateLimits } from './gates/rate-limit.ts'
import { refuseAfterSunset } from './gates/sunset.ts'
import { consoleRoutes, type RedeemCode } from './pages/console.ts'
import { referenceRoutes } from './pages/reference.ts'
import { siteOf } from './replies/base-address.ts'
import { announceDeprecation } from './replies/deprecation.ts'
import type { Observer } from './replies/observe.ts'
import { idempotencyKeysInFlight } from './request/idempotency-key.ts'
import type { TrustProxy } from './request/proxies.ts'
import { routeTable } from './route-table.ts'
import { categoryRoutes } from './routes/categories.ts'
import { documentRoutes } from './routes/documents.ts'
import { eventRoutes } from './routes/events.ts'
import { healthRoutes } from './routes/health.ts'
import { inventoryRoutes } from './routes/inventory.ts'
import { keyRoutes } from './routes/keys.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { orderRoutes } from './routes/orders.ts'
import { petChangeRoutes } from './routes/pet-changes.ts'
import { petRoutes } from './routes/pets.ts'
import { type ImportLimits, transferRoutes } from './routes/transfer.ts'
import { type App, createApp } from './server/app-server.ts'
import type { Certificate } from './server/certificate.ts'
import { type Lifecycle, lifecycle } from './server/lifecycle.ts'
import type { ConnectionLimits } from './server/limits.ts'

export interface AppOptions {
  storage: Storage
  clock: Clock
  observer: Observer
  /** For callers that stop the service before they close it. */
  lifecycle?: Lifecycle | undefined
  environment: Environment
  baseUrls: Partial<Record<Environment, string>>
  /** The least stable operations that are served. */
  offer: Offer
  /** The time between two heartbeats of an event stream. */
  heartbeatMs?: number | undefined
  streamLimits?: Partial<StreamLimits> | undefined
  /** A key from the settings, identified by its hash; it is not stored. */
  ownKey?: { hash: string; key: ApiKey } | undefined
  /** Called for every use of a stored key. */
  keyUsed: (key: ApiKey, at: number) => void
  /** Exchanges the code of a sign-in link for a key. */
  redeemCode?: RedeemCode | undefined
  corsOrigins: readonly string[]
  /** Requests per minute for each key, and for each client address without a valid key. */
  rateLimit?: number | undefined
  trustProxy: TrustProxy
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** For HTTPS. */
  certificate?: Certificate | undefined
  importLimits?: Partial<ImportLimits> | undefined
  /** Returns the text of /metrics, if it is served on this port. */
  metrics?: (() => Promise<string>) | undefined
  /** Sees every request first, for tracing. */
  tracing?: Gate | undefined
}

/** Builds the HTTP edge: all gates in order, all routes, the server. Does not listen yet. */
export function buildApp(options: AppOptions): App {
  const { storage, clock, observer, offer, ownKey, keyUsed, corsOrigins, tracing } = options
  const { pets, orders, categories, events, keys, imports } = storage
  const state = options.lifecycle ?? lifecycle()
  const stop = new AbortController()
  const configuredBase = options.baseUrls[options.environment]
  const source = configuredBase ?? '/v1'

  const cache = versionedCache(() => storage.version())
  const site = siteOf(configuredBase, options.trustProxy)
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

  const routes: Route[] = [
    ...petRoutes({ pets, inFlight }),
    ...petChangeRoutes(pets),
    ...transferRoutes({ ...options, pets, imports, keys, inFlight, stopping: stop.signal, failed: observer.failed }),
    ...orderRoutes({ orders, inFlight }),
    ...inventoryRoutes(pets),
    ...categoryRoutes({ categories, inFlight }),
    ...keyRoutes({ keys, environment: options.environment, clock }),
    ...eventRoutes({ events, streams, source }),
    ...healthRoutes(storage, state),
    ...documentRoutes(options),
    ...referenceRoutes(Object.values(options.baseUrls), configuredBase),
    ...consoleRoutes(options),
    ...metricsRoutes(options.metrics),
  ]
  const served = routes.filter(({ operation }) => operation === undefined || isOffered(operation, offer))

  // The first that refuses a request responds. Then the handler of the route runs.
  const gates: (Gate | undefined)[] = [
    findRoute(routeTable(served)),
    tracing,
    announceDeprecation,
    corsOrigins.length > 0 ? crossOrigin(corsOrigins) : undefined,
    refuseInvalidMessage,
    authenticate({ ...options, keys, cache, refuse: limits?.refuse }),
    limits?.limitKey,
    refuseUnknown,
    authorize,
    refuseAfterSunset(clock),
    requireMediaType,
    replyFromCache(cache),
    readBody,
    checkInput,
  ]

  return createApp({
    gates: gates.filter((gate) => gate !== undefined),
    site,
    cache,
    observer,
    state,
    connectionLimits: options.connectionLimits,
    certificate: options.certificate,
    streamLagEvents: () => feed.lag(),
    endLongRequests() {
      streams.close()
      stop.abort()
    },
  })
}
