import type { FastifyReply, FastifyRequest } from 'fastify'
import { baseAddress } from './base-address.ts'
import { etagOf, revalidated, sendRevalidated } from './etag.ts'
import { addVary, jsonType } from './json-reply.ts'
import { confirmPreference } from './preference-applied.ts'

/** An encoded page, without what depends on the request. */
export interface EncodedPage {
  body: string
  etag: string
  /** The link to the next page, relative to the base address. */
  next?: string
  total?: string
}

export interface PageParts {
  next?: string | undefined
  total?: string | undefined
  /** Replaces the tag of the body. */
  tag?: string | undefined
}

export function encodedPage(body: string, { next, total, tag }: PageParts): EncodedPage {
  return {
    body,
    // The address and the body determine the link to the next page, except whether there is one.
    etag: tag ?? etagOf(body, `${next === undefined ? '' : '+'}${total ?? ''}`),
    ...(next !== undefined && { next }),
    ...(total !== undefined && { total }),
  }
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: EncodedPage): void {
  addVary(reply, 'Prefer')
  if (page.next !== undefined) reply.header('link', linkTo(page.next, baseAddress(request)))
  if (page.total !== undefined) {
    reply.header('x-total-count', page.total)
    confirmPreference(reply, 'count=exact')
  }
  sendRevalidated(request, reply, page.body, page.etag)
}

/** The response to a request without preferences and preconditions. */
export function pageResponse({ body, etag, next }: EncodedPage, base: string) {
  const headers = { ...jsonType, vary: 'Prefer', ...revalidated(etag) }
  return { headers: next === undefined ? headers : { ...headers, link: linkTo(next, base) }, body }
}

function linkTo(next: string, base: string): string {
  return `<${base}${next}>; rel="next"`
}
