import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './answer.ts'

/** A strong validator of a body, and of what else the answer says, `more`: a word that may stand between quotes. */
export function etagOf(body: string, more = ''): string {
  return `"${hash('sha1', body, 'base64url')}${more}"`
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
