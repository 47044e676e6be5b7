import fastify, { type FastifyPluginCallback, type FastifyServerOptions } from 'fastify'
import type { Environment } from '../contract/openapi.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Clock, Storage } from '../inventory/storage.ts'
import { authentication, authorize } from './authenticate.ts'
import { crossOrigin } from './cors.ts'
import { announceDeprecation } from './deprecation.ts'
import { errorHandler } from './errors.ts'
import { expressLane } from './express-lane.ts'
import type { App } from './fastify-types.ts'
import { keyUse } from './key-use.ts'
import { knownPaths } from './known-paths.ts'
import { type Lifecycle, lifecycle, refuseWhileDraining } from './lifecycle.ts'
import { type Observer, observeAnswers } from './observe.ts'
import { mendPath, refuseBrokenPath, refuseBrokenQuery } from './percent-escapes.ts'
import { parseQuery } from './query.ts'
import { rateLimit } from './rate-limit.ts'
import { requestId } from './request-id.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { petRoutes } from './routes/pets.ts'
import { referenceRoutes } from './routes/reference.ts'
import { serverBelow } from './server.ts'
import { bodyLimit, refuseImproper, serverLimits } from './transport.ts'
import { validatorCompiler } from './validation.ts'
import { versionedCache } from './versioned-cache.ts'

export interface AppOptions {
  storage: Storage
  clock: Clock
  observer: Observer
  /** Given where somebody wants to tell the service to leave before it is closed. */
  lifecycle?: Lifecycle | undefined
  environment: Environment
  baseUrls: Partial<Record<Environment, string>>
  ownKey?: { hash: string; key: ApiKey } | undefined
  corsOrigins: readonly string[]
  /** Requests a minute for each key. */
  rateLimit?: number | undefined
  trustProxy: boolean | string[]
  /** The text of /metrics, when it is served here. */
  metrics?: (() => Promise<string>) | undefined
  /** Looks at every request from outside, for tracing. */
  tracing?: FastifyPluginCallback | undefined
}

const keyUseInterval = 10_000

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
  const uses = keyUse(storage.keys, observer.failed)
  const { authenticate, recognise } = authentication({ ...options, keys: storage.keys, cache, used: uses.note })
  // What these add to an answer is not the same for everyone who asks.
  const isUniform = options.corsOrigins.length === 0 && options.rateLimit === undefined && options.tracing === undefined
  const lane = expressLane({ cache, recognise, observer, isOpen: () => isUniform && state.stage === 'serving' })

  const app: App = fastify({
    bodyLimit,
    ...serverBelow({ lane, refused: observer.refused }),
    trustProxy: options.trustProxy,
    genReqId: (request) => requestId(request),
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      querystringParser: parseQuery,
      // An id that is too long is an unknown id: the route says so.
      maxParamLength: serverLimits.maxHeaderSize,
    },
    rewriteUrl: mendPath,
    schemaController: { compilersFactory: compilers },
  })
  app.decorateRequest('apiKey', undefined)
  app.decorate('configuredBase', options.baseUrls[environment])
  app.setErrorHandler(errorHandler((error, request) => observer.failed(error, request.id)))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const refuseUnknown = knownPaths(app)

  if (options.tracing !== undefined) app.register(options.tracing)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    cache.refresh()
    done()
  })
  app.addHook('onRequest', announceDeprecation)
  if (options.corsOrigins.length > 0) app.addHook('onRequest', crossOrigin(options.corsOrigins))
  app.addHook('onRequest', refuseImproper)
  app.addHook('onResponse', observeAnswers(observer))

  app.register(async (open: App) => {
    open.addHook('onRequest', refuseBrokenPath)
    open.addHook('onRequest', refuseUnknown)
    open.setNotFoundHandler(() => undefined)
    healthRoutes(open, storage, state)
    referenceRoutes(open, environment, options.baseUrls)
    if (options.metrics !== undefined) metricsRoute(open, options.metrics, authenticate)
  })
  app.register(
    async (v1: App) => {
      v1.addHook('onRequest', refuseWhileDraining(state))
      v1.addHook('onRequest', authenticate)
      if (options.rateLimit !== undefined) v1.addHook('onRequest', rateLimit(options.rateLimit, clock))
      v1.addHook('onRequest', refuseBrokenPath)
      v1.addHook('onRequest', refuseUnknown)
      v1.addHook('onRequest', authorize)
      v1.addHook('preHandler', refuseBrokenQuery)
      v1.setNotFoundHandler(() => undefined)
      petRoutes(v1, { pets: storage.pets, cache, clock, lane })
    },
    { prefix: '/v1' },
  )

  const flushing = setInterval(() => void uses.flush(), keyUseInterval).unref()
  app.addHook('preClose', (done) => {
    state.drain()
    done()
  })
  app.addHook('onClose', async () => {
    clearInterval(flushing)
    await uses.flush()
  })
  return app
}
