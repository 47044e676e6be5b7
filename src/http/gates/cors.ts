import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerHeaders } from '../../contract/document/openapi-answers.ts'

/** Every header of ours that a client can use. Those of the document, and those of answers that it does not describe. */
const exposed = [...Object.keys(answerHeaders), 'Accept-Encoding', 'Allow'].join(', ')
const allowed =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Request-Id'

/** A browser's question whether a page of another origin may ask. It carries no key and gets none of our data. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/**
 * Lets pages of the configured origins read answers, errors too. By hand and not with @fastify/cors, whose own route
 * for OPTIONS would answer ahead of the gates.
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
