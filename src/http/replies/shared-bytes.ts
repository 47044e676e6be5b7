import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

const shared = new WeakSet<ServerResponse>()

/** Sends a body that is one Buffer for all clients. However many of them wait for it, it is in memory once. */
export function sendShared(reply: FastifyReply, body: Buffer): FastifyReply {
  shared.add(reply.raw)
  return reply.send(body)
}

export function isShared(response: ServerResponse | undefined): boolean {
  return response !== undefined && shared.has(response)
}
