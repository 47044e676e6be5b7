import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../inventory/keys.ts'
import { loggablePath, type Observer } from '../replies/observe.ts'
import { type PlainHead, plainHeads } from './cacheable-request.ts'
import { requestIdFrom } from '../replies/request-id.ts'
import type { VersionedCache } from './versioned-cache.ts'

/** An answer that is ready to be sent again: names and values of its headers in turn, and its body. */
interface ReadyAnswer {
  /** Whom it was asked of: its links lead there. */
  host: string
  head: readonly string[]
  /** The bytes of the body, a character each: written in one piece with the headers, without looking at them again. */
  bytes: string
  route: string | undefined
  path: string
}

export interface ResponseCache {
  /** Answers a request that was answered before, or returns false and has not touched it. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Keeps the answer to a request for those who ask the very same, until anything is committed. To be called in the same
   * turn in which the answer was found in the cache: an answer that was just read may be outdated already.
   */
  keep(request: FastifyRequest, reply: FastifyReply, body: string): void
}

export interface ExpressLaneOptions {
  cache: VersionedCache
  /** The active key behind an Authorization header if that can be told at once. */
  recognise: (header: string | undefined) => ApiKey | undefined
  observer: Observer
  isOpen: () => boolean
  /** Whether what a proxy says of the address may be in an answer. */
  believesProxies: boolean
}

const bound = 8 * 1024 * 1024
/** In characters. Addresses are kept too, and whoever asks can make them long. */
const longestAddress = 256

/**
 * In front of the gates: a list that was asked before, with nothing committed since, by a key that is known and active,
 * is answered from memory. No rule is given up; what the gates would find out is known already. Lists are what
 * the service is asked for most.
 */
export function responseCache(options: ExpressLaneOptions): ResponseCache {
  const { cache, recognise, observer, isOpen } = options
  const plainHead = plainHeads(options.believesProxies)
  const answers = cache.section<ReadyAnswer>(bound, ({ bytes }) => bytes.length + 500)

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
      })
      return true
    },

    keep({ raw, routeOptions }, reply, body) {
      const url = raw.url as string
      if (raw.method !== 'GET' || reply.statusCode !== 200 || url.length > longestAddress) return
      const host = plainHeadOf(raw)?.host
      if (host === undefined || host.length > longestAddress) return
      const head = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        name === 'x-request-id' ? [] : [name, String(value)],
      )
      const bytes = Buffer.from(body).toString('latin1')
      answers.reading()(url, { host, head, bytes, route: routeOptions.url, path: loggablePath(url) })
    },
  }
}
