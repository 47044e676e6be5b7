import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag } from '../../inventory/precondition.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import { addVary, jsonType, sendJson } from './json-reply.ts'

/** The entity tag of a file. No engine compares it, so it may be cheaper than the tag of a resource (`entityTag`). */
export function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Sends a body that the client may cache and revalidate: 304 if it has this one. */
export function sendRevalidated(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  etag: string,
  coding?: string,
): void {
  requireMatch(request, etag)
  reply.headers(revalidated(etag))
  if (isKnown(request, etag)) return void reply.code(304).send()
  if (coding === undefined) sendJson(reply, body)
  else reply.headers({ ...jsonType, 'content-encoding': coding }).send(body)
}

/** The headers of a response that the client may cache and must revalidate. */
export function revalidated(etag: string) {
  return { etag, 'cache-control': 'private, no-cache' }
}

/** Sends a single resource, with the tag for preconditions of changes. */
export function sendResource(request: FastifyRequest, reply: FastifyReply, body: string): void {
  addVary(reply, 'Prefer')
  sendRevalidated(request, reply, body, entityTag(body))
}

/** The response to a request without preferences and preconditions. */
export function resourceResponse(body: string) {
  return { headers: { ...jsonType, vary: 'Prefer', ...revalidated(entityTag(body)) }, body }
}

/** Sends a resource after a write, with the same tag. */
export function sendTagged(reply: FastifyReply, body: string): void {
  sendJson(reply.headers(revalidated(entityTag(body))), body)
}

/** Whether the client has this response. If-None-Match compares weakly (RFC 9110, 13.1.2): W/ makes no difference. */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']
  if (known === undefined) return false
  return known.trim() === '*' || known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** Throws unless the tag meets If-Match. On a read it requires the response that was seen before (RFC 9110, 13.1.1). */
export function requireMatch(request: FastifyRequest, etag: string): void {
  if (request.headers['if-match'] === undefined) return
  const { match = [] } = preconditionOf(request)
  if (!match.includes('*') && !match.includes(etag)) throw preconditionFailed(request, 'resource')
}
