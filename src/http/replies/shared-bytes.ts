import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const shared = new WeakSet<ServerResponse>()

/** The bytes of this response are not its own: whoever shares them bounds them. */
export function markShared(response: ServerResponse): void {
  shared.add(response)
}

/** Sends a body that is one Buffer for all clients. However many of them wait for it, it is in memory once. */
export function sendShared(reply: FastifyReply, body: Buffer): FastifyReply {
  markShared(reply.raw)
  return reply.send(body)
}

export function isShared(response: ServerResponse | undefined): boolean {
  return response !== undefined && shared.has(response)
}
