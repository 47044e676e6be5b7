import fastify, { type FastifyServerOptions } from 'fastify'
import type { App } from '../fastify-types.ts'
import { readTarget } from '../gates/request-target.ts'
import { validatorCompiler } from '../gates/validation.ts'
import { errorHandler } from '../replies/errors.ts'
import type { Observer } from '../replies/observe.ts'
import { parseQuery } from '../request/query.ts'
import { requestId } from '../request/request-id.ts'
import type { HttpServer } from './http-server.ts'
import { bodyLimit } from '../../contract/body-limit.ts'
import { serverLimits } from './limits.ts'

export interface FastifyOptions {
  server: HttpServer
  trustProxy: boolean | string[]
  /** The configured base address of this deployment, ending in /v1. */
  configuredBase: string | undefined
  observer: Observer
}

// Replaces Ajv and the serializer, which would be loaded and never used. (Fastify's types know only those two.)
const compilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => JSON.stringify,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/** Fastify on our own HTTP server. It routes and runs hooks; the gates refuse requests. */
export function createFastify({ server, trustProxy, configuredBase, observer }: FastifyOptions): App {
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
      // An id that is too long is unknown: the route says so.
      maxParamLength: serverLimits.maxHeaderSize,
    },
    rewriteUrl: readTarget,
    schemaController: { compilersFactory: compilers },
  })
  app.decorateRequest('apiKey', undefined)
  app.decorateReply('isStream', false)
  app.decorate('configuredBase', configuredBase)
  app.setErrorHandler(errorHandler(observer))
  // A body of DELETE has no meaning (RFC 9110, 9.3.5), nor has its content type.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return app
}
