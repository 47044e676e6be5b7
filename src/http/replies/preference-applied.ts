import type { FastifyReply } from 'fastify'

/** Confirms a preference to the client (RFC 7240, 3). */
export function confirmPreference(reply: FastifyReply, applied: string): void {
  const before = reply.getHeader('preference-applied')
  reply.header('preference-applied', before === undefined ? applied : `${String(before)}, ${applied}`)
}
