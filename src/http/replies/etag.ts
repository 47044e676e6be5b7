import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag } from '../../inventory/precondition.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { addVary, sendJson } from './json-reply.ts'

/**
 * The entity tag of a page or a file, made of its body and of what else the answer says: `more`, a word that may stand
 * between quotes. No engine compares it, so it may be cheaper than that of a single resource (`entityTag`).
 */
export function etagOf(body: string, more = ''): string {
  return `"${hash('sha1', body, 'base64url')}${more}"`
}

/** Sends a body that the client may keep and revalidate: 304 when it has this very one already. */
export function sendRevalidated(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  etag: string,
): void {
  if (request.headers['if-match'] !== undefined) refuseMismatch(request, etag)
  reply.header('etag', etag)
  reply.header('cache-control', 'private, no-cache')
  if (isKnown(request, etag)) reply.code(304).send()
  else sendJson(reply, body)
}

/** Sends a single resource that the client may keep, with the tag that a precondition of a change can name. */
export function sendResource(request: FastifyRequest, reply: FastifyReply, body: string): void {
  addVary(reply, 'Prefer')
  sendRevalidated(request, reply, body, entityTag(body))
}

/** Sends a resource as a write has left it, with the same tag. */
export function sendTagged(reply: FastifyReply, body: string): void {
  reply.header('etag', entityTag(body)).header('cache-control', 'private, no-cache')
  sendJson(reply, body)
}

/** Whether the client has this very answer. If-None-Match compares weakly (RFC 9110, 13.1.2): W/ makes no difference. */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']
  if (known === undefined) return false
  return known.trim() === '*' || known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

// Reading under If-Match is rare, and asks for the very answer that was seen before (RFC 9110, 13.1.1).
function refuseMismatch(request: FastifyRequest, etag: string): void {
  const { match = [] } = preconditionOf(request)
  if (!match.includes('*') && !match.includes(etag)) throw preconditionFailed(request, 'resource')
}
