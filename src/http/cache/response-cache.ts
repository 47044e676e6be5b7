import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../inventory/keys.ts'
import { loggablePath, type Observer } from '../replies/observe.ts'
import { type CacheableHead, cacheableHeads } from './cacheable-request.ts'
import { requestIdFrom } from '../request/request-id.ts'
import type { VersionedCache } from './versioned-cache.ts'

/** A response that can be sent again. */
interface CachedResponse {
  /** The Host of the request, which the links of the response use. */
  host: string
  /** Header names and values, alternating. */
  head: readonly string[]
  /** The body, one character per byte: Node writes it together with the headers without encoding it again. */
  bytes: string
  route: string | undefined
  path: string
}

export interface ResponseCache {
  /** Answers an equal request from memory. Returns false, without touching the request, if it cannot. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Caches a response until the next commit. Call it in the turn of the event loop in which the page was found in the
   * cache: a page that was just read may be outdated.
   */
  keep(request: FastifyRequest, reply: FastifyReply, body: string): void
}

export interface ResponseCacheOptions {
  cache: VersionedCache
  /** The active key of an Authorization header, if it is known without a query. */
  recognise: (header: string | undefined) => ApiKey | undefined
  observer: Observer
  /** Whether the cache may be used now. */
  isOpen: () => boolean
  /** Whether links use forwarded headers of a proxy. */
  trustsProxies: boolean
}

const maxCachedBytes = 8 * 1024 * 1024
/** In characters. Addresses are cached too, and a client can make them long. */
const maxAddressLength = 256

/**
 * Lists are the most frequent requests. In front of the gates, a list is answered from memory if it was sent before,
 * nothing was committed since, and the key is known and active: every gate would let the request pass again.
 */
export function responseCache(options: ResponseCacheOptions): ResponseCache {
  const { cache, recognise, observer, isOpen } = options
  const cacheableHead = cacheableHeads(options.trustsProxies)
  const answers = cache.section<CachedResponse>('responses', maxCachedBytes, ({ bytes }) => bytes.length + 500)

  function cacheableHeadOf({ rawHeaders, httpVersion }: IncomingMessage): CacheableHead | undefined {
    return httpVersion === '1.1' ? cacheableHead(rawHeaders) : undefined
  }

  return {
    serve(request, response) {
      if (request.method !== 'GET' || !isOpen()) return false
      const started = performance.now()
      cache.refresh()
      const answer = answers.get(request.url as string)
      if (answer === undefined) return false
      const asked = cacheableHeadOf(request)
      if (asked === undefined || asked.host !== answer.host) return false
      const key = recognise(asked.authorization)
      if (key === undefined) return false

      const id = requestIdFrom(asked.requestId)
      response.writeHead(200, ['x-request-id', id, ...answer.head])
      response.end(answer.bytes, 'latin1')
      observer.answered({
        requestId: id,
        keyId: key.id,
        method: 'GET',
        route: answer.route,
        path: answer.path,
        status: 200,
        milliseconds: performance.now() - started,
        isStream: false,
      })
      return true
    },

    keep({ raw, routeOptions }, reply, body) {
      const url = raw.url as string
      if (raw.method !== 'GET' || reply.statusCode !== 200 || url.length > maxAddressLength) return
      const host = cacheableHeadOf(raw)?.host
      // Links use another host if the address has one.
      if (host === undefined || host !== raw.headers.host || host.length > maxAddressLength) return
      const head = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        name === 'x-request-id' ? [] : [name, String(value)],
      )
      const bytes = Buffer.from(body).toString('latin1')
      answers.reading()(url, { host, head, bytes, route: routeOptions.url, path: loggablePath(url) })
    },
  }
}
