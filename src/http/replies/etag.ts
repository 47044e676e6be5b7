import type { FastifyReply, FastifyRequest } from 'fastify'
import { digest } from '../../inventory/digest.ts'
import { sendJson } from './json-reply.ts'

/** A strong validator of a body, and of what else the answer says, `more`: a word that may stand between quotes. */
export function etagOf(body: string, more = ''): string {
  return `"${digest(body)}${more}"`
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

/**
 * The digests of which a resource must have one, by `If-Match`; undefined where any will do. If-Match compares strongly
 * (RFC 9110, 13.1.1): a weak validator never matches, nor does what is no validator.
 */
export function expectedBy({ headers }: FastifyRequest): string[] | undefined {
  const known = headers['if-match']?.trim()
  if (known === undefined || known === '*') return undefined
  return known.split(',').flatMap((candidate) => /^"([^"]*)"$/.exec(candidate.trim())?.[1] ?? [])
}
