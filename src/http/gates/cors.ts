import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseHeaders } from '../../contract/document/openapi-responses.ts'

/**
 * Every response header that a client can use: those of the document and those of responses that it does not describe.
 */
const exposed = [...Object.keys(responseHeaders), 'Allow'].join(', ')
const allowed =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id'

/** A CORS preflight request. It has no key and gets no data. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/**
 * Lets configured origins read responses, errors too. Not @fastify/cors: its route for OPTIONS would answer before the
 * gates.
 */
export function crossOrigin(origins: readonly string[]) {
  const any = origins.includes('*')

  return function allowOrigin(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin !== undefined && (any || origins.includes(origin))) {
      reply.header('access-control-allow-origin', any ? '*' : origin)
      reply.header('access-control-expose-headers', exposed)
      if (isPreflight(request)) {
        reply.header('access-control-allow-headers', allowed)
        reply.header('access-control-max-age', '600')
      }
    }
    done()
  }
}
