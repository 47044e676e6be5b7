import type { FastifyReply, FastifyRequest } from 'fastify'
import { type EncodedPage, sendPage } from '../replies/page.ts'
import type { ResponseCache } from './response-cache.ts'
import type { VersionedCache } from './versioned-cache.ts'

/** Sends the page with this key: the cached one, or the one that `read` resolves to, which is then cached. */
export type SendCachedPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  read: () => Promise<EncodedPage>,
) => void

/** Caches encoded pages until the next commit. When a page is found again, its whole response is cached too. */
export function pageCache(cache: VersionedCache, responses: ResponseCache, maxBytes: number): SendCachedPage {
  const pages = cache.section<EncodedPage>('pages', maxBytes, ({ body }) => 2 * body.length + 500)

  return (request, reply, key, read) => {
    const known = pages.get(key)
    if (known !== undefined) {
      sendPage(request, reply, known)
      responses.keep(request, reply, known.body)
      return
    }
    const keep = pages.reading()
    read()
      .then((page) => {
        keep(key, page)
        sendPage(request, reply, page)
      })
      .catch((error: Error) => reply.send(error))
  }
}
