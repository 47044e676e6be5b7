import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const shared = new WeakSet<ServerResponse>()

/** Marks a response whose bytes are shared and limited elsewhere. */
export function markShared(response: ServerResponse): void {
  shared.add(response)
}

/** Sends a Buffer that all clients share: it is in memory once. */
export function sendShared(reply: FastifyReply, body: Buffer): FastifyReply {
  markShared(reply.raw)
  return reply.send(body)
}

export function isShared(response: ServerResponse | undefined): boolean {
  return response !== undefined && shared.has(response)
}
