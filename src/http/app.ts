import fastify, { type FastifyPluginCallback, type FastifyServerOptions } from 'fastify'
import type { Environment } from '../contract/document/openapi.ts'
import type { Offer } from '../contract/operations/operations.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Clock, Storage } from '../inventory/storage.ts'
import { authentication, authorize } from './gates/authenticate.ts'
import { crossOrigin } from './gates/cors.ts'
import { announceDeprecation } from './replies/deprecation.ts'
import { errorHandler } from './replies/errors.ts'
import { eventFeed } from './events/event-feed.ts'
import { eventStreams, type StreamLimits } from './events/event-stream.ts'
import { streamKeys } from './events/stream-keys.ts'
import { responseCache } from './cache/response-cache.ts'
import type { App } from './fastify-types.ts'
import { sendContinue } from './gates/expectation.ts'
import { refuseInvalidMessage } from './gates/http-message.ts'
import { idempotencyKeysInFlight } from './request/idempotency-key.ts'
import { lastUsedTimes } from './gates/last-used.ts'
import { knownPaths } from './gates/known-paths.ts'
import { type Lifecycle, lifecycle } from './server/lifecycle.ts'
import { type Observer, observeAnswers } from './replies/observe.ts'
import { refuseBrokenPath } from './gates/path-encoding.ts'
import { checkEveryBody } from './gates/json-body.ts'
import { honourHandling } from './gates/strict-handling.ts'
import { refuseAfterSunset } from './gates/sunset.ts'
import { parseQuery } from './request/query.ts'
import { rateLimits } from './gates/rate-limit.ts'
import { readTarget } from './gates/request-target.ts'
import { requestId } from './request/request-id.ts'
import { consoleRoutes, type RedeemCode } from './routes/console.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { categoryRoutes } from './routes/categories.ts'
import { documentRoutes } from './routes/documents.ts'
import { eventRoutes } from './routes/events.ts'
import { orderRoutes } from './routes/orders.ts'
import { petChangeRoutes } from './routes/pet-changes.ts'
import { petRoutes } from './routes/pets.ts'
import { referenceRoutes } from './routes/reference.ts'
import { createHttpServer } from './server/http-server.ts'
import { announceStability } from './replies/stability.ts'
import { bodyLimit, type ConnectionLimits, serverLimits } from './server/limits.ts'
import { checkEveryQuery, validatorCompiler } from './gates/validation.ts'
import { versionedCache } from './cache/versioned-cache.ts'

export interface AppOptions {
  storage: Storage
  clock: Clock
  observer: Observer
  /** Given where somebody wants to tell the service to leave before it is closed. */
  lifecycle?: Lifecycle | undefined
  environment: Environment
  baseUrls: Partial<Record<Environment, string>>
  /** The least stable operations that are served. */
  offer: Offer
  /** How long events can be read, in milliseconds. */
  eventsKept: number
  /** Between two signs of life on a stream of events. */
  heartbeatMs?: number | undefined
  streamLimits?: Partial<StreamLimits> | undefined
  ownKey?: { hash: string; key: ApiKey } | undefined
  /** Where the code of a sign-in link is turned into a key. */
  redeemCode?: RedeemCode | undefined
  corsOrigins: readonly string[]
  /** Requests a minute for each key, and for each client address those without a valid one. */
  rateLimit?: number | undefined
  trustProxy: boolean | string[]
  connectionLimits?: Partial<ConnectionLimits> | undefined
  /** The text of /metrics, when it is served here. */
  metrics?: (() => Promise<string>) | undefined
  /** Looks at every request from outside, for tracing. */
  tracing?: FastifyPluginCallback | undefined
}

const lastUsedIntervalMs = 10_000
const forgetIntervalMs = 60_000
/** Clearly shorter than the timeouts of proxies; those in deploy/ and docs/ are held to it. */
export const usualHeartbeatMs = 10_000

// In place of Ajv and a serializer, which would be loaded and never used. (Fastify's types know only those two.)
const compilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => JSON.stringify,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/** The whole edge: every gate in its order, every route, every answer. Listens to nothing yet. */
export function buildApp(options: AppOptions): App {
  const { storage, clock, observer, environment } = options
  const state = options.lifecycle ?? lifecycle()
  const cache = versionedCache(() => storage.version())
  const uses = lastUsedTimes(storage.keys, observer.failed)
  const limits = options.rateLimit === undefined ? undefined : rateLimits(options.rateLimit, clock)
  const { authenticate, recognise } = authentication({
    ...options,
    keys: storage.keys,
    cache,
    used: uses.note,
    refuse: limits?.refuse,
  })
  // What these add to an answer is not the same for everyone who asks.
  const isUniform = options.corsOrigins.length === 0 && options.rateLimit === undefined && options.tracing === undefined
  const source = options.baseUrls[environment] ?? '/v1'
  const observe = observeAnswers(observer)
  const streams = eventStreams({
    feed: eventFeed(storage.events, source),
    keys: streamKeys({
      keys: storage.keys,
      version: () => storage.version(),
      clock,
      ownKey: options.ownKey?.key,
      used: uses.note,
    }),
    heartbeatMs: options.heartbeatMs ?? usualHeartbeatMs,
    limits: options.streamLimits,
    opened: observer.streamOpened,
    ended: observer.streamEnded,
    aborted: (request, reply) => observe(request, reply, () => undefined),
  })
  const believesProxies = options.trustProxy !== false && options.baseUrls[environment] === undefined
  const isOpen = () => isUniform && state.stage === 'serving'
  const responses = responseCache({ cache, recognise, observer, isOpen, believesProxies })
  const { stopListening, drain, ...server } = createHttpServer({
    responses,
    cache,
    refused: observer.refused,
    limits: options.connectionLimits,
    isLeaving: () => state.stage !== 'serving',
  })

  const app: App = fastify({
    bodyLimit,
    ...server,
    trustProxy: options.trustProxy,
    genReqId: (request) => requestId(request),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: false,
    routerOptions: {
      querystringParser: parseQuery,
      // An id that is too long is an unknown id: the route says so.
      maxParamLength: serverLimits.maxHeaderSize,
    },
    rewriteUrl: readTarget,
    schemaController: { compilersFactory: compilers },
  })
  app.decorateRequest('apiKey', undefined)
  app.decorateReply('isStream', false)
  app.decorate('configuredBase', options.baseUrls[environment])
  app.setErrorHandler(errorHandler((error, request) => observer.failed(error, request.id)))
  // Whatever body comes with it means nothing (RFC 9110, 9.3.5), and neither does what that claims to be.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const refuseUnknown = knownPaths(app)

  if (options.tracing !== undefined) app.register(options.tracing)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    cache.refresh()
    done()
  })
  app.addHook('onRequest', announceDeprecation)
  app.addHook('onRequest', announceStability)
  if (options.corsOrigins.length > 0) app.addHook('onRequest', crossOrigin(options.corsOrigins))
  app.addHook('onRequest', refuseInvalidMessage)
  app.addHook('preParsing', sendContinue)
  app.addHook('onResponse', observe)

  app.register(async (open: App) => {
    open.addHook('onRequest', refuseBrokenPath)
    open.addHook('onRequest', refuseUnknown)
    open.addHook('onRoute', checkEveryBody)
    open.setNotFoundHandler(() => undefined)
    healthRoutes(open, storage, () => state.stage === 'serving')
    documentRoutes(open, options)
    referenceRoutes(open, Object.values(options.baseUrls))
    consoleRoutes(open, { ...options, authenticate })
    if (options.metrics !== undefined) metricsRoute(open, options.metrics, authenticate)
  })
  app.register(
    async (v1: App) => {
      v1.addHook('onRequest', authenticate)
      if (limits !== undefined) v1.addHook('onRequest', limits.limitKey)
      v1.addHook('onRequest', refuseBrokenPath)
      v1.addHook('onRequest', refuseUnknown)
      v1.addHook('onRequest', authorize)
      v1.addHook('onRequest', refuseAfterSunset(clock))
      v1.addHook('preValidation', honourHandling)
      v1.addHook('onRoute', checkEveryQuery)
      v1.addHook('onRoute', checkEveryBody)
      v1.setNotFoundHandler(() => undefined)
      const { pets, orders, categories, events } = storage
      const { offer } = options
      const inFlight = idempotencyKeysInFlight()
      petRoutes(v1, { pets, cache, responses, inFlight })
      petChangeRoutes(v1, { pets, offer })
      orderRoutes(v1, { orders, inFlight, offer })
      categoryRoutes(v1, { categories, offer })
      eventRoutes(v1, { events, streams, source, offer })
    },
    { prefix: '/v1' },
  )

  const flushing = setInterval(() => void uses.flush(), lastUsedIntervalMs).unref()
  // A bounded number at a time, so that writes get their turn in between, until none is old enough.
  async function forgetEvents(): Promise<void> {
    const now = clock()
    while ((await storage.events.forget(now - options.eventsKept, now)) > 0);
  }
  const forgetting = setInterval(() => void forgetEvents().catch(observer.failed), forgetIntervalMs).unref()
  app.decorate('drain', async (released = async () => {}) => {
    await stopListening()
    await released()
    state.drain()
    streams.close()
    return drain()
  })
  app.addHook('preClose', (done) => {
    state.drain()
    streams.close()
    void drain()
    done()
  })
  app.addHook('onClose', async () => {
    clearInterval(flushing)
    clearInterval(forgetting)
    await uses.flush()
  })
  return app
}
