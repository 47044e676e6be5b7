import { crc32 } from 'node:zlib'
import type { Exchange, Reply } from '../exchange.ts'
import { type AcceptedCoding, acceptedCoding, codedTag, codingOf, encodeWith } from './content-coding.ts'
import type { NextPage } from './cursor.ts'
import { revalidated } from './etag.ts'
import { jsonType } from './json.ts'
import type { PageBody } from './page-body.ts'
import { withPreference } from './preference-applied.ts'
import { isInParts } from './whole-body.ts'

/** An encoded page, without what depends on the request. */
export interface EncodedPage {
  body: PageBody['body']
  etag: string
  next?: NextPage
  total?: string
  /** The page has the tag of its one resource. */
  isResource?: true
}

export interface PageParts {
  next?: NextPage | undefined
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
  // The link follows from the address, the body, and whether there is a next page. The page of a search may end anywhere.
  const link = next === undefined ? '' : isSearch ? `+${crc32(next.link).toString(36)}` : '+'
  return {
    body,
    etag: tag ?? `"${digest}${link}${total ?? ''}"`,
    ...(tag !== undefined && { isResource: true as const }),
    ...(next !== undefined && { next }),
    ...(total !== undefined && { total }),
  }
}

/** A page as this client gets it, with `more` headers of its own. */
export function pageReply(exchange: Exchange, page: EncodedPage, more: Record<string, string> = {}): Reply {
  const { body, etag, coding } = represent(page, acceptedCoding(exchange.request.headers['accept-encoding']))
  const headers: Record<string, string> = { ...jsonType, ...revalidated(etag), ...more }
  if (coding !== undefined) headers['content-encoding'] = coding
  if (page.next !== undefined) headers['link'] = `<${exchange.request.base}${page.next.link}>; rel="next"`
  if (page.next?.cursor !== undefined) headers['next-cursor'] = page.next.cursor
  if (page.total !== undefined) {
    headers['x-total-count'] = page.total
    headers['preference-applied'] = withPreference(exchange.response.headers['preference-applied'], 'count=exact')
  }
  return { status: 200, headers, body, vary: 'Prefer, Accept-Encoding', isRepresentation: true }
}

/** The tag of a resource serves preconditions of changes, so it is never coded; nor are large pages. */
function represent({ body, etag, isResource }: EncodedPage, accepted: AcceptedCoding | undefined) {
  if (isResource || isInParts(body)) return { body, etag }
  const coding = codingOf(body, accepted)
  if (coding === undefined) return { body, etag }
  return { body: encodeWith(coding, body), etag: codedTag(etag, coding), coding }
}
