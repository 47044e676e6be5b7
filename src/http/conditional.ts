import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './answer.ts'

/** A strong validator of all that an answer says. */
export function etagOf(...parts: string[]): string {
  return `"${hash('sha1', parts.join('\n'), 'base64url')}"`
}

/** Sends a body that the client may keep and revalidate: 304 when it has this very one already. */
export function sendRevalidated(request: FastifyRequest, reply: FastifyReply, body: string, etag: string): void {
  reply.header('etag', etag)
  reply.header('cache-control', 'private, no-cache')
  if (isKnown(request, etag)) reply.code(304).send()
  else sendJson(reply, body)
}

/** Whether the client has this very answer. If-None-Match compares weakly (RFC 9110, 13.1.2): W/ makes no difference. */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']
  if (known === undefined) return false
  return known.trim() === '*' || known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
