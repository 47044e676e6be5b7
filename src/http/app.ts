import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginCallback,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
} from 'fastify'
import type { Environment } from '../contract/openapi.ts'
import { getPet, type Operation } from '../contract/operations.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { ApiKey } from '../inventory/keys.ts'
import type { Clock, Storage } from '../inventory/storage.ts'
import { authentication, authorize } from './authenticate.ts'
import { crossOrigin } from './cors.ts'
import { announce, announceDeprecation } from './deprecation.ts'
import { errorHandler, sendError } from './errors.ts'
import { expressLane } from './express-lane.ts'
import { keyUse } from './key-use.ts'
import { knownPaths } from './known-paths.ts'
import { lifecycle, refuseWhileDraining } from './lifecycle.ts'
import { type Observer, observeAnswers } from './observe.ts'
import { parseQuery } from './query.ts'
import { rateLimit } from './rate-limit.ts'
import { requestId } from './request-id.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { petRoutes } from './routes/pets.ts'
import { referenceRoutes } from './routes/reference.ts'
import { answerBelowHttp, bodyLimit, parserError, refuseImproper, serverLimits } from './transport.ts'
import { validatorCompiler } from './validation.ts'
import { versionedCache } from './versioned-cache.ts'

export type App = FastifyInstance<
  Server,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

export interface AppOptions {
  storage: Storage
  clock: Clock
  observer: Observer
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

/** The whole edge: every gate in its order, every route, every answer. Listens to nothing yet. */
export function buildApp(options: AppOptions): App {
  const { storage, clock, observer, environment } = options
  const state = lifecycle()
  const cache = versionedCache(() => storage.version())
  const uses = keyUse(storage.keys, observer.failed)
  const observe = observeAnswers(observer)
  const { authenticate, recognise } = authentication({ ...options, keys: storage.keys, cache, used: uses.note })
  // What these add to an answer is not the same for everyone who asks.
  const isUniform = options.corsOrigins.length === 0 && options.rateLimit === undefined && options.tracing === undefined
  const lane = expressLane({ cache, recognise, observer, isOpen: () => isUniform && !state.draining })

  const app: App = fastify({
    bodyLimit,
    serverFactory: (handle) =>
      createServer(serverLimits, (request, response) => {
        if (!lane.serve(request, response)) handle(request, response)
      }),
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
    clientErrorHandler(error, socket) {
      const refusal = parserError(error)
      if (refusal === undefined || !socket.writable) socket.destroy()
      else answerBelowHttp(socket, refusal, observer.refused)
    },
    frameworkErrors(_error, request, reply) {
      // A path that cannot be decoded has no route and so no hooks: the gates in front of it are passed here.
      reply.header('x-request-id', request.id)
      if (request.method === 'GET' && request.url.startsWith('/v1/pets/')) announce(getPet.deprecation, request, reply)
      const refuse = (error: Error) => {
        sendError(reply, error as PetStoreError)
        observe(request, reply, () => undefined)
      }
      const broken = new PetStoreError('invalid_request', 'The path has a broken percent escape.')
      if (!request.url.startsWith('/v1/')) return refuse(broken)
      authenticate(request, reply, (error = broken) => refuse(error))
    },
  })
  // Node would answer 417 without a body; as a request like any other it meets the gates in their order.
  app.server.on('checkExpectation', app.routing)
  app.server.on('connect', (_request, socket) => {
    const refusal = new PetStoreError('method_not_allowed', 'This service is no proxy.', { allow: 'GET, HEAD, POST' })
    answerBelowHttp(socket as Socket, refusal, observer.refused)
  })

  app.decorateRequest('apiKey', undefined)
  app.decorate('configuredBase', options.baseUrls[environment])
  app.setErrorHandler(errorHandler((error, request) => observer.failed(error, request.id)))
  app.setValidatorCompiler(validatorCompiler)
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
  app.addHook('onResponse', observe)

  app.register(async (open: App) => {
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
      v1.addHook('onRequest', refuseUnknown)
      v1.addHook('onRequest', authorize)
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
