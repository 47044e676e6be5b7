import type { FastifyPluginCallback } from 'fastify'
import type { Environment } from '../contract/environment.ts'
import type { Offer } from '../contract/operations/operations.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Clock } from '../inventory/clock.ts'
import type { Storage } from '../inventory/storage.ts'
import { versionedCache } from './cache/versioned-cache.ts'
import { directCreates } from './direct/create.ts'
import { responseCache } from './direct/response-cache.ts'
import { eventFeed } from './events/event-feed.ts'
import { eventStreams, type StreamLimits, defaultHeartbeatMs } from './events/event-stream.ts'
import { streamKeys } from './events/stream-keys.ts'
import type { App } from './fastify-types.ts'
import { authentication, authorize } from './gates/authenticate.ts'
import { crossOrigin } from './gates/cors.ts'
import { sendContinue } from './gates/expectation.ts'
import { refuseInvalidMessage } from './gates/http-message.ts'
import { checkEveryBody } from './gates/json-body.ts'
import { knownPaths } from './gates/known-paths.ts'
import { refuseBrokenPath } from './gates/path-encoding.ts'
import { rateLimits } from './gates/rate-limit.ts'
import { startUnlessRefused } from './gates/start.ts'
import { honourHandling } from './gates/strict-handling.ts'
import { isGone, refuseAfterSunset } from './gates/sunset.ts'
import { checkEveryQuery } from './gates/validation.ts'
import { consoleRoutes, type RedeemCode } from './pages/console.ts'
import { referenceRoutes } from './pages/reference.ts'
import { addCommonHeaders } from './replies/common-headers.ts'
import { announceDeprecation } from './replies/deprecation.ts'
import { type Observer, observeAnswers } from './replies/observe.ts'
import { announceStability } from './replies/stability.ts'
import { idempotencyKeysInFlight } from './request/idempotency-key.ts'
import { categoryRoutes } from './routes/categories.ts'
import { documentRoutes } from './routes/documents.ts'
import { eventRoutes } from './routes/events.ts'
import { healthRoutes } from './routes/health.ts'
import { inventoryRoute } from './routes/inventory.ts'
import { keyRoutes } from './routes/keys.ts'
import { metricsRoute } from './routes/metrics.ts'
import { orderRoutes } from './routes/orders.ts'
import { petChangeRoutes } from './routes/pet-changes.ts'
import { petRoutes } from './routes/pets.ts'
import { type ImportLimits, transferRoutes } from './routes/transfer.ts'
import type { Certificate } from './server/certificate.ts'
import { createFastify } from './server/fastify.ts'
import { closeGracefully } from './server/graceful-close.ts'
import { createHttpServer } from './server/http-server.ts'
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
  trustProxy: boolean | string[]
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** For HTTPS. */
  certificate?: Certificate | undefined
  importLimits?: Partial<ImportLimits> | undefined
  /** Returns the text of /metrics, if it is served on this port. */
  metrics?: (() => Promise<string>) | undefined
  /** Observes every request, for tracing. */
  tracing?: FastifyPluginCallback | undefined
}

/** Builds the HTTP edge: all gates in order, all routes, all replies. Does not listen yet. */
export function buildApp(options: AppOptions): App {
  const { storage, clock, observer, offer, ownKey, keyUsed, corsOrigins, tracing } = options
  const { pets, orders, categories, events, keys, imports } = storage
  const state = options.lifecycle ?? lifecycle()
  const stop = new AbortController()
  const isLeaving = () => state.stage === 'leaving' || state.stage === 'draining'
  const configuredBase = options.baseUrls[options.environment]
  const source = configuredBase ?? '/v1'

  const cache = versionedCache(() => storage.version())
  const limits = options.rateLimit === undefined ? undefined : rateLimits(options.rateLimit, clock)
  const { authenticate, recognise } = authentication({ ...options, keys, cache, refuse: limits?.refuse })
  /** The gates of everything that requires a key. */
  const keyGates = limits === undefined ? [authenticate] : [authenticate, limits.limitKey]
  // With these, responses differ between clients.
  const isUniform = corsOrigins.length === 0 && limits === undefined && tracing === undefined
  const direct = {
    cache,
    recognise,
    observer,
    isOpen: () => isUniform && !isLeaving(),
    trustsProxies: options.trustProxy !== false && configuredBase === undefined,
    configuredBase,
  }
  const responses = responseCache({ ...direct, isGone: (operation) => isGone(operation, clock) })
  const creates = directCreates(direct)
  const observe = observeAnswers(observer)
  const feed = eventFeed(events, source)
  const streams = eventStreams({
    feed,
    keys: streamKeys({ keys, version: () => storage.version(), clock, ownKey: ownKey?.key, keyUsed }),
    heartbeatMs: options.heartbeatMs ?? defaultHeartbeatMs,
    limits: options.streamLimits,
    opened: observer.streamOpened,
    ended: observer.streamEnded,
    aborted: (request, reply) => observe(request, reply, () => undefined),
  })
  const server = createHttpServer({
    responses,
    creates,
    cache,
    refused: observer.refused,
    limits: options.connectionLimits,
    certificate: options.certificate,
    isLeaving,
  })
  const app = createFastify({ server, trustProxy: options.trustProxy, configuredBase, observer })
  const { refuseUnknown, refuseInherited } = knownPaths(app)

  // Every request.
  if (tracing !== undefined) app.register(tracing)
  app.addHook('onRequest', addCommonHeaders)
  app.addHook('onRequest', (_request, _reply, done) => {
    // The server did this already, but not for a request that it injects (unknown-method.ts).
    cache.refresh()
    done()
  })
  app.addHook('onRequest', announceDeprecation)
  app.addHook('onRequest', announceStability)
  if (corsOrigins.length > 0) app.addHook('onRequest', crossOrigin(corsOrigins))
  app.addHook('onRequest', refuseInvalidMessage)
  app.addHook('onRoute', checkEveryBody)
  app.addHook('preParsing', sendContinue)
  app.addHook('preHandler', startUnlessRefused)
  app.addHook('onResponse', observe)

  // Routes that need no key, or check it themselves.
  app.register(async (open: App) => {
    open.addHook('onRequest', refuseBrokenPath)
    open.addHook('onRequest', refuseUnknown)
    open.setNotFoundHandler(() => undefined)
    healthRoutes(open, storage, state)
    documentRoutes(open, options)
    referenceRoutes(open, Object.values(options.baseUrls), configuredBase)
    consoleRoutes(open, { ...options, keyGates })
    if (options.metrics !== undefined) metricsRoute(open, options.metrics, keyGates)
  })

  // The API.
  app.register(
    async (v1: App) => {
      for (const gate of keyGates) v1.addHook('onRequest', gate)
      v1.addHook('onRequest', refuseBrokenPath)
      v1.addHook('onRequest', refuseUnknown)
      v1.addHook('onRequest', authorize)
      v1.addHook('onRequest', refuseAfterSunset(clock))
      v1.addHook('onRoute', checkEveryQuery)
      v1.addHook('preValidation', honourHandling)
      v1.setNotFoundHandler(() => undefined)
      const inFlight = idempotencyKeysInFlight()
      petRoutes(v1, { pets, cache, responses, creates, inFlight })
      petChangeRoutes(v1, { pets, offer })
      transferRoutes(v1, { ...options, pets, imports, keys, inFlight, stopping: stop.signal, failed: observer.failed })
      orderRoutes(v1, { orders, creates, inFlight, offer })
      inventoryRoute(v1, { pets, cache, responses, offer })
      categoryRoutes(v1, { categories, inFlight, offer })
      keyRoutes(v1, { keys, environment: options.environment, clock, offer })
      eventRoutes(v1, { events, streams, source, offer })
      // A plugin, because it is loaded after the routes above.
      v1.register(async (last: App) => refuseInherited(last))
    },
    { prefix: '/v1' },
  )

  app.decorate('stats', () => ({
    connections: server.connectionCount(),
    caches: cache.stats(),
    streamLagEvents: () => feed.lag(),
  }))
  closeGracefully(app, server, state, () => {
    streams.close()
    stop.abort()
  })
  return app
}
