import type { FastifyReply } from 'fastify'

export const jsonType = { 'content-type': 'application/json' } as const

/**
 * Sends encoded JSON, as a text or as bytes. Bypasses Fastify's serializer, which would add a charset that
 * JSON does not have.
 */
export function sendJson(reply: FastifyReply, body: string | Buffer): void {
  reply.headers(jsonType)
  if (typeof body === 'string') reply.serializer(asIs).send(body)
  else reply.send(body)
}

/** Adds a name to the Vary header. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`)
}

function asIs(body: string): string {
  return body
}
