import type { FastifyReply, FastifyRequest } from 'fastify'

/** Tells with every answer of an operation, refusals too, how far it can be relied on. The contract's own carry nothing. */
export function announceStability(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const stability = request.routeOptions.config?.operation?.stability
  if (stability !== undefined) reply.header('stability', stability)
  done()
}
