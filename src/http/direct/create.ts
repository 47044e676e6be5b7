import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TObject } from 'typebox'
import { bodyLimit } from '../../contract/body-limit.ts'
import { checker } from '../../contract/checker.ts'
import { includesPermission, type Operation } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import { encodedAuthor } from '../request/author.ts'
import { isHost } from '../request/host.ts'
import { parseObject } from '../request/json-object.ts'
import { requestIdFrom } from '../request/request-id.ts'
import type { DirectOptions } from './options.ts'
import { baseFor, type DirectExchange, type DirectResponse, headOf, sendDirect, sendDirectError } from './reply.ts'
import { headersOfCreates } from './request-headers.ts'

/** A create whose response depends only on the address, the host and the body of the request. */
export interface DirectCreate<Schema extends TObject> {
  operation: Operation
  /** The path, which is also the pattern of the route. */
  path: string
  body: Schema
  /** Resolves to the 201. */
  create(input: Static<Schema>, author: string, base: string): Promise<DirectResponse>
}

export interface DirectCreates {
  /** Answers a create without Fastify, if every gate before the body would let it pass. Otherwise returns false. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  add<Schema extends TObject>(create: DirectCreate<Schema>): void
}

interface Source {
  operation: Operation
  path: string
  create(body: Buffer, author: string, base: string): Promise<DirectResponse>
}

/** In front of the gates, as the response cache for reads. Faults of the body get the errors of the gates. */
export function directCreates(options: DirectOptions): DirectCreates {
  const { cache, recognise, observer, isOpen, configuredBase } = options
  const headersOf = headersOfCreates(options.trustsProxies)
  const sources: Source[] = []

  async function answer(exchange: DirectExchange, { operation, create }: Source, host: string): Promise<void> {
    const { request, requestId, key } = exchange
    const body = await bodyOf(request)
    if (body === undefined) return
    try {
      const created = await create(body, encodedAuthor(key, requestId), configuredBase ?? baseFor(request, host))
      sendDirect(exchange, observer, { status: 201, head: headOf(operation, created), body: created.body })
    } catch (error) {
      sendDirectError(exchange, observer, { operation, error })
    }
  }

  return {
    add({ operation, path, body, create }) {
      const check = checker(body, 'json')
      sources.push({
        operation,
        path,
        async create(bytes, author, base) {
          const checked = check(parseObject(bytes) as Record<string, unknown>)
          if ('faults' in checked) throw new PetStoreError('invalid_body', checked.faults)
          return create(checked.value, author, base)
        },
      })
    },

    serve(request, response) {
      const { method, httpVersion, url } = request
      if (method !== 'POST' || httpVersion !== '1.1' || !isOpen()) return false
      const source = sources.find(({ path }) => path === url)
      const headers = source && headersOf(request.rawHeaders)
      if (headers?.contentType !== 'application/json' || !isHost(headers.host)) return false
      if (headers.contentLength === undefined || Number(headers.contentLength) > bodyLimit) return false
      const startedAt = performance.now()
      cache.refresh()
      const key = recognise(headers.authorization)
      if (source === undefined || key === undefined) return false
      if (!includesPermission(key.permission, source.operation.permission)) return false
      const requestId = requestIdFrom(headers.requestId)
      void answer({ request, response, startedAt, requestId, key, route: source.path }, source, headers.host)
      return true
    },
  }
}

/**
 * Reads the body, whose announced length is within the limit: Node reads no further than that. Resolves to undefined if
 * the body ends early: the client is gone, or the server has answered (http-server.ts).
 */
function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.on('error', () => resolve(undefined))
  })
}
