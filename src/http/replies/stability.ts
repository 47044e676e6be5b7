import type { FastifyReply, FastifyRequest } from 'fastify'

/** Adds the stability of an operation to every response, errors too. Operations of the contract have none. */
export function announceStability(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const stability = request.routeOptions.config?.operation?.stability
  if (stability !== undefined) reply.header('stability', stability)
  done()
}
