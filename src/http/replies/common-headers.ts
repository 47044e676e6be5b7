import type { FastifyReply, FastifyRequest } from 'fastify'

/** The headers of every response, beside its request id: names and values, alternating. */
export const commonHeaders = ['x-content-type-options', 'nosniff'] as const

/** Adds the headers of every response. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-request-id', request.id)
  reply.header(...commonHeaders)
  done()
}
