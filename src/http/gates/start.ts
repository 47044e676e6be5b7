import type { FastifyReply, FastifyRequest } from 'fastify'
import { claim } from '../request/claim.ts'

/** The last gate: the operation begins. A request that the server has refused meanwhile goes no further. */
export function startUnlessRefused({ raw }: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (claim(raw, 'operation')) done()
  else reply.hijack()
}
