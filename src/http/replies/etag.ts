import { hash } from 'node:crypto'
import { entityTag } from '../../inventory/precondition.ts'
import type { Exchange, Reply } from '../exchange.ts'
import { preconditionFailed, preconditionOf } from '../request/precondition.ts'
import type { WithHeaders } from '../request/request-headers.ts'
import { jsonType } from './json.ts'

/** The entity tag of a file. No engine compares it, so it may be cheaper than the tag of a resource (`entityTag`). */
export function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** The headers of a response that the client may cache and must revalidate. */
export function revalidated(etag: string) {
  return { etag, 'cache-control': 'private, no-cache' }
}

/** A single resource, with the tag for preconditions of changes. */
export function resourceReply(body: string): Reply {
  const headers = { ...jsonType, ...revalidated(entityTag(body)) }
  return { status: 200, headers, body, vary: 'Prefer', isRepresentation: true }
}

/** A resource after a write, with the same tag. */
export function changedReply(body: string, status = 200): Reply {
  return { status, headers: { ...jsonType, ...revalidated(entityTag(body)) }, body }
}

/** The reply that the preconditions of the request leave: 304 if the client has this representation, 412 if not that. */
export function applyPreconditions(exchange: Exchange, reply: Reply): Reply {
  const { 'if-match': match, 'if-none-match': noneMatch } = exchange.request.headers
  if (reply.isRepresentation !== true || (match === undefined && noneMatch === undefined)) return reply
  const { etag = '', 'content-type': _type, 'content-encoding': _coding, ...others } = reply.headers
  // On the exchange, because a refusal has it too.
  if (reply.vary !== undefined) exchange.response.addVary(reply.vary)
  if (match !== undefined && !isMatched(exchange.request, etag)) throw preconditionFailed(exchange.request, 'resource')
  if (isKnown(exchange.request, etag)) return { status: 304, headers: { ...others, etag } }
  return { ...reply, vary: undefined }
}

/** Whether the client has this response. If-None-Match compares weakly (RFC 9110, 13.1.2): W/ makes no difference. */
export function isKnown({ headers: { 'if-none-match': known } }: WithHeaders, etag: string): boolean {
  if (known === undefined) return false
  return known.trim() === '*' || known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** On a read, If-Match requires the response that was seen before (RFC 9110, 13.1.1). */
function isMatched(request: WithHeaders, etag: string): boolean {
  const { match = [] } = preconditionOf(request)
  return match.includes('*') || match.includes(etag)
}
