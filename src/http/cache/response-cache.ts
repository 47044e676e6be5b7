import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../inventory/keys.ts'
import { loggablePath, type Observer } from '../replies/observe.ts'
import { type PlainHead, plainHeads } from './cacheable-request.ts'
import { requestIdFrom } from '../request/request-id.ts'
import type { VersionedCache } from './versioned-cache.ts'

/** A response that can be sent again. */
interface CachedResponse {
  /** The Host of the request: the links of the response lead there. */
  host: string
  /** Names and values of the headers in turn. */
  head: readonly string[]
  /** The body, one character for each byte: Node writes it together with the headers, without encoding it again. */
  bytes: string
  route: string | undefined
  path: string
}

export interface ResponseCache {
  /** Answers an equal request from memory; returns false, and leaves the request alone, if it cannot. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Keeps the response to a request for equal requests, until anything is committed. Call it in the same turn of the event
   * loop in which the page was found in the cache: a page that was just read may be outdated already.
   */
  keep(request: FastifyRequest, reply: FastifyReply, body: string): void
}

export interface ResponseCacheOptions {
  cache: VersionedCache
  /** The active key behind an Authorization header if that can be told at once. */
  recognise: (header: string | undefined) => ApiKey | undefined
  observer: Observer
  /** Whether responses may be served from here at all. */
  isOpen: () => boolean
  /** Whether forwarded headers of a proxy make links. */
  believesProxies: boolean
}

const maxCachedBytes = 8 * 1024 * 1024
/** In characters: addresses are kept too, and a client can make them long. */
const maxAddressLength = 256

/**
 * Lists are what the service is asked for most. In front of the gates, a list is answered from memory if it was sent before,
 * nothing was committed since, and the key is known and active: then every gate would let the request pass again.
 */
export function responseCache(options: ResponseCacheOptions): ResponseCache {
  const { cache, recognise, observer, isOpen } = options
  const plainHead = plainHeads(options.believesProxies)
  const answers = cache.section<CachedResponse>(maxCachedBytes, ({ bytes }) => bytes.length + 500)

  function plainHeadOf({ rawHeaders, httpVersion }: IncomingMessage): PlainHead | undefined {
    return httpVersion === '1.1' ? plainHead(rawHeaders) : undefined
  }

  return {
    serve(request, response) {
      if (request.method !== 'GET' || !isOpen()) return false
      const started = performance.now()
      cache.refresh()
      const answer = answers.get(request.url as string)
      if (answer === undefined) return false
      const asked = plainHeadOf(request)
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
      const host = plainHeadOf(raw)?.host
      // Links are made of another host where the address names one.
      if (host === undefined || host !== raw.headers.host || host.length > maxAddressLength) return
      const head = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        name === 'x-request-id' ? [] : [name, String(value)],
      )
      const bytes = Buffer.from(body).toString('latin1')
      answers.reading()(url, { host, head, bytes, route: routeOptions.url, path: loggablePath(url) })
    },
  }
}
