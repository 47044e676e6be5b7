import type { FastifyReply } from 'fastify'

/** Sends text that is JSON already. Past Fastify's serializer, which would add a charset that JSON does not have. */
export function sendJson(reply: FastifyReply, body: string): void {
  reply.header('content-type', 'application/json').serializer(asIs).send(body)
}

function asIs(body: string): string {
  return body
}
