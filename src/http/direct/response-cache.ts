import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { type AcceptedCoding, acceptedCoding } from '../replies/content-coding.ts'
import { maxAddressLength } from '../request/address.ts'
import { callerOf } from '../request/caller.ts'
import { isHost } from '../request/host.ts'
import { requestIdFrom } from '../request/request-id.ts'
import { askedBefore } from '../cache/asked-before.ts'
import type { DirectOptions } from './options.ts'
import type { DirectRead, Reading } from './read.ts'
import { baseFor, sendDirect, sendDirectError, type PreparedResponse, prepareResponse } from './reply.ts'
import { headersOfReads } from './request-headers.ts'

/** A response that can be sent again. */
interface CachedResponse {
  source: DirectRead
  /** The Host of the request, which the links of the response use. */
  host: string
  response: PreparedResponse & { body: string; encoding: 'latin1' }
}

/** A request that may be answered in front of the gates: from memory, or by a read. */
interface DirectRequest {
  source: DirectRead
  cached?: CachedResponse
  read?: Reading
  cacheKey: string
  accepted: AcceptedCoding | undefined
  host: string
  key: ApiKey
  requestId: string
}

export interface ResponseCache {
  /** Answers the request from memory or by a direct read. Returns false if it has to pass the gates. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  /** Adds a read. Its responses are cached too. */
  add(read: DirectRead): void
}

export interface ResponseCacheOptions extends DirectOptions {
  /** Whether the operation was removed. */
  isGone: (operation: Operation) => boolean
}

const maxCachedBytes = 8 * 1024 * 1024
/** A larger response is not cached: it would drop all others. */
const maxResponseBytes = maxCachedBytes / 8
/** In characters, with the host. Addresses are cached too, and a client can make them long. */
const maxCachedAddressLength = 256

/**
 * Answers the most frequent reads in front of the gates, without Fastify, if every gate would let the request pass: its
 * address and host are valid, its key is known and active, and no header could change the response. A response that is
 * asked for again is kept until the next commit. The errors of a read are those that the route would send.
 */
export function responseCache(options: ResponseCacheOptions): ResponseCache {
  const { cache, recognise, isGone, observer, isOpen, configuredBase } = options
  const headersOf = headersOfReads(options.trustsProxies)
  const reads: DirectRead[] = []
  const responses = cache.section<CachedResponse>(
    'responses',
    maxCachedBytes,
    ({ response }) => response.body.length + 500,
  )
  const isAskedAgain = askedBefore()

  function sourceOf(url: string): { source: DirectRead; read: Reading } | undefined {
    for (const source of reads) {
      const read = source.prepare(url)
      if (read !== undefined) return { source, read }
    }
    return undefined
  }

  /** Undefined if a gate could refuse the request, or a header could change the response. */
  function directRequestOf({ method, httpVersion, url = '', rawHeaders }: IncomingMessage): DirectRequest | undefined {
    if (method !== 'GET' || httpVersion !== '1.1' || url.length > maxAddressLength || !isOpen()) return undefined
    const headers = headersOf(rawHeaders)
    if (headers === undefined) return undefined
    const { host, authorization, requestId } = headers
    const accepted = acceptedCoding(headers.acceptEncoding)
    if (accepted?.isRequired) return undefined
    const cacheKey = accepted === undefined ? url : `${accepted.coding} ${url}`
    const cached = responses.get(cacheKey)
    const direct = cached?.host === host ? { source: cached.source, cached } : isHost(host) ? sourceOf(url) : undefined
    if (direct === undefined || isGone(direct.source.operation)) return undefined
    const key = recognise(authorization)
    return key && { ...direct, cacheKey, accepted, host, key, requestId: requestIdFrom(requestId) }
  }

  /** Call it before the read. The returned function caches the response; undefined for the first of its kind. */
  function prepareCaching({
    source,
    host,
    cacheKey,
  }: DirectRequest): ((response: PreparedResponse) => void) | undefined {
    if (!cache.isOn() || cacheKey.length + host.length > maxCachedAddressLength) return undefined
    if (!isAskedAgain(cacheKey)) return undefined
    const keep = responses.reading()
    return (response) => keep(cacheKey, { source, host, response: asLatin1(response) })
  }

  return {
    add(read) {
      if (read.operation.permission !== 'read') throw new Error('a direct read is for operations that only read')
      reads.push(read)
    },

    serve(request, response) {
      const startedAt = performance.now()
      const direct = directRequestOf(request)
      if (direct === undefined) return false
      const { source, cached, read, accepted, host, key, requestId } = direct
      const exchange = { request, response, startedAt, requestId, key, route: source.route }
      if (cached !== undefined) {
        sendDirect(exchange, observer, cached.response)
        return true
      }
      const keep = prepareCaching(direct)
      const base = configuredBase ?? baseFor(request, host)
      read?.(base, accepted, callerOf(response, key.id)).then(
        (result) => {
          const prepared = prepareResponse(200, source.operation, result)
          sendDirect(exchange, observer, prepared)
          if (prepared.body.length <= maxResponseBytes) keep?.(prepared)
        },
        (error: unknown) => {
          const { operation, errorHeaders } = source
          const headers = errorHeaders?.(request.url as string, base)
          sendDirectError(exchange, observer, { operation, error, headers })
        },
      )
      return true
    },
  }
}

/** Node writes a text in latin1 together with the headers, and need not encode it again. */
function asLatin1({ status, head, body }: PreparedResponse): CachedResponse['response'] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return { status, head, body: bytes.toString('latin1'), encoding: 'latin1' }
}
