import type { FastifyReply } from 'fastify'

/** Sends text that is JSON already. Past Fastify's serializer, which would add a charset that JSON does not have. */
export function sendJson(reply: FastifyReply, body: string): void {
  reply.header('content-type', 'application/json').serializer(asIs).send(body)
}

/** Adds to what the answer depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`)
}

function asIs(body: string): string {
  return body
}
