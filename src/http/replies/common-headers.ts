import type { FastifyReply, FastifyRequest } from 'fastify'

/** Adds the headers of every response. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  done()
}
