import fastify, { type FastifyServerOptions } from 'fastify'
import type { App } from '../fastify-types.ts'
import { readTarget } from '../gates/request-target.ts'
import { validatorCompiler } from '../gates/validation.ts'
import { errorHandler } from '../replies/errors.ts'
import type { Observer } from '../replies/observe.ts'
import { parseQuery } from '../request/query.ts'
import { requestId } from '../request/request-id.ts'
import type { HttpServer } from './http-server.ts'
import { bodyLimit, serverLimits } from './limits.ts'

export interface FastifyOptions {
  server: HttpServer
  trustProxy: boolean | string[]
  /** The configured base address of this deployment, ending in /v1. */
  configuredBase: string | undefined
  failed: Observer['failed']
}

// In place of Ajv and a serializer, which would be loaded and never used. (Fastify's types know only those two.)
const compilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => JSON.stringify,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/** Fastify on our own HTTP server. It routes and runs hooks; what it would refuse by itself is left to the gates. */
export function createFastify({ server, trustProxy, configuredBase, failed }: FastifyOptions): App {
  const app: App = fastify({
    bodyLimit,
    serverFactory: server.serverFactory,
    clientErrorHandler: server.clientErrorHandler,
    trustProxy,
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
  app.decorate('configuredBase', configuredBase)
  app.setErrorHandler(errorHandler((error, request) => failed(error, request.id)))
  // Whatever body comes with it means nothing (RFC 9110, 9.3.5), and neither does what that claims to be.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return app
}
