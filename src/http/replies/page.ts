import { crc32 } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseAddress } from './base-address.ts'
import { type AcceptedCoding, acceptedCoding, codedTag, codingOf, type Coding, encodeWith } from './content-coding.ts'
import { requireMatch, revalidated, sendRevalidated } from './etag.ts'
import { addVary, jsonType } from './json-reply.ts'
import type { PageBody } from './page-body.ts'
import { confirmPreference } from './preference-applied.ts'

/** An encoded page, without what depends on the request. */
export interface EncodedPage {
  /** Bytes if the page is large. */
  body: string | Buffer
  etag: string
  /** The link to the next page, relative to the base address. */
  next?: string
  total?: string
  /** The page has the tag of its one resource. */
  isResource?: true
}

export interface PageParts {
  next?: string | undefined
  total?: string | undefined
  /** Replaces the tag of the body. */
  tag?: string | undefined
  /** The page of a search may end anywhere. */
  isSearch?: boolean
}

export function encodedPage(
  { body, digest }: PageBody,
  { next, total, tag, isSearch = false }: PageParts = {},
): EncodedPage {
  // The address and the body determine the link to the next page, except whether there is one; not those of a search.
  const link = next === undefined ? '' : isSearch ? `+${crc32(next).toString(36)}` : '+'
  return {
    body,
    etag: tag ?? `"${digest}${link}${total ?? ''}"`,
    ...(tag !== undefined && { isResource: true as const }),
    ...(next !== undefined && { next }),
    ...(total !== undefined && { total }),
  }
}

/** Sends a page, with `more` headers of its own. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: EncodedPage,
  more: Record<string, string> = {},
): void {
  addVary(reply, varies)
  const { body, etag, coding } = represent(page, acceptedCoding(request.headers['accept-encoding']))
  // First: a refusal does not have the headers of a page.
  requireMatch(request, etag)
  reply.headers(more)
  if (page.next !== undefined) reply.header('link', linkTo(page.next, baseAddress(request)))
  if (page.total !== undefined) {
    reply.header('x-total-count', page.total)
    confirmPreference(reply, 'count=exact')
  }
  sendRevalidated(request, reply, body, etag, coding)
}

/** The response to a request without preferences and preconditions. */
export function pageResponse(page: EncodedPage, base: string, accepted: AcceptedCoding | undefined) {
  const { body, etag, coding } = represent(page, accepted)
  const headers: Record<string, string> = { ...jsonType, vary: varies, ...revalidated(etag) }
  if (coding !== undefined) headers['content-encoding'] = coding
  if (page.next !== undefined) headers['link'] = linkTo(page.next, base)
  return { headers, body }
}

const varies = 'Prefer, Accept-Encoding'

// A page is coded once per coding while it is cached.
const coded = new WeakMap<EncodedPage, Map<Coding, Buffer>>()

/** A page as this client gets it. The tag of a resource serves preconditions of changes, so it is never coded. */
function represent(page: EncodedPage, accepted: AcceptedCoding | undefined) {
  const { body, etag } = page
  // Large pages are not coded.
  if (page.isResource || typeof body !== 'string') return { body, etag }
  const coding = codingOf(body, accepted)
  if (coding === undefined) return { body, etag }
  let codedBodies = coded.get(page)
  if (codedBodies === undefined) coded.set(page, (codedBodies = new Map()))
  const bytes = codedBodies.get(coding) ?? encodeWith(coding, body)
  codedBodies.set(coding, bytes)
  return { body: bytes, etag: codedTag(etag, coding), coding }
}

function linkTo(next: string, base: string): string {
  return `<${base}${next}>; rel="next"`
}
