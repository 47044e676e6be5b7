import type { FastifyReply, FastifyRequest } from 'fastify'
import { type EncodedPage, sendPage } from '../replies/page.ts'
import { askedBefore } from './asked-before.ts'
import type { VersionedCache } from './versioned-cache.ts'

/** Sends the page with this key: the cached one, or the one that `read` resolves to. */
export type SendCachedPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  read: () => Promise<EncodedPage>,
) => void

/** Caches encoded pages from their second request until the next commit. */
export function pageCache(cache: VersionedCache, maxBytes: number): SendCachedPage {
  const isAskedAgain = askedBefore()
  const pages = cache.section<EncodedPage>('pages', maxBytes, ({ body }) => 2 * body.length + 500)

  return (request, reply, key, read) => {
    const known = pages.get(key)
    if (known !== undefined) return sendPage(request, reply, known)
    const keep = isAskedAgain(key) ? pages.reading() : undefined
    read()
      .then((page) => {
        // One large page would drop all others from the cache.
        if (typeof page.body === 'string') keep?.(key, page)
        sendPage(request, reply, page)
      })
      .catch((error: Error) => reply.send(error))
  }
}
