import type { FastifyReply, FastifyRequest } from 'fastify'

/** What every answer carries. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  done()
}
