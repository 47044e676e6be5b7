import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TObject } from 'typebox'
import { bodyLimit } from '../../contract/body-limit.ts'
import { checker } from '../../contract/checker.ts'
import { includesPermission, type Operation } from '../../contract/operation.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { IdempotencyKey } from '../../inventory/idempotency-key.ts'
import { type CreatedParts, createdResponse } from '../replies/created.ts'
import { encodedAuthor } from '../request/author.ts'
import { claim } from '../request/claim.ts'
import { isHost } from '../request/host.ts'
import { parseIdempotencyKey } from '../request/idempotency-key.ts'
import { parseObject } from '../request/json-object.ts'
import { requestIdFrom } from '../request/request-id.ts'
import type { DirectOptions } from './options.ts'
import { baseFor, type DirectExchange, sendDirect, sendDirectError, prepareResponse } from './reply.ts'
import { type CreateHeaders, headersOfCreates } from './request-headers.ts'

/** A create whose response depends only on the address, the host, the idempotency key and the body of the request. */
export interface DirectCreate<Schema extends TObject> {
  operation: Operation
  /** The path, which is also the pattern of the route. */
  path: string
  body: Schema
  /** What the fingerprint of an idempotency key is made of. */
  identify(input: Static<Schema>): string
  create(input: Static<Schema>, idempotencyKey: IdempotencyKey | undefined, author: string): Promise<CreatedParts>
}

export interface DirectCreates {
  /** Answers a create without Fastify, if every gate before the body would let it pass. Otherwise returns false. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  add<Schema extends TObject>(create: DirectCreate<Schema>): void
}

interface Source {
  operation: Operation
  path: string
  create(body: Buffer, exchange: CreateExchange): Promise<CreatedParts>
}

interface CreateExchange extends DirectExchange {
  headers: CreateHeaders
}

/** In front of the gates, as the response cache for reads. Faults of the body get the errors of the gates. */
export function directCreates(options: DirectOptions): DirectCreates {
  const { recognise, observer, isOpen, configuredBase } = options
  const headersOf = headersOfCreates(options.trustsProxies)
  const sources: Source[] = []

  async function answer(exchange: CreateExchange, { operation, create }: Source, bytes: Buffer): Promise<void> {
    const { request, headers } = exchange
    if (!claim(request, 'operation')) return
    try {
      const created = await create(bytes, exchange)
      const response = createdResponse(created, configuredBase ?? baseFor(request, headers.host))
      sendDirect(exchange, observer, prepareResponse(201, operation, response))
    } catch (error) {
      sendDirectError(exchange, observer, { operation, error })
    }
  }

  return {
    add({ operation, path, body, identify, create }) {
      const check = checker(body, 'json')
      sources.push({
        operation,
        path,
        create(bytes, { key, requestId, headers }) {
          const checked = check(parseObject(bytes) as Record<string, unknown>)
          if ('faults' in checked) throw new PetStoreError('invalid_body', checked.faults, checked)
          const { value } = checked
          const { idempotencyKey: header } = headers
          const idempotencyKey = header === undefined ? undefined : parseIdempotencyKey(header, key.id, identify(value))
          return create(value, idempotencyKey, encodedAuthor(key, requestId))
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
      const key = recognise(headers.authorization)
      if (source === undefined || key === undefined) return false
      if (!includesPermission(key.permission, source.operation.permission)) return false
      const requestId = requestIdFrom(headers.requestId)
      const exchange = { request, response, startedAt, requestId, key, route: source.path, headers }
      readBody(request, (body) => void answer(exchange, source, body))
      return true
    },
  }
}

/**
 * Reads the body, whose announced length is within the limit: Node reads no further than that. `done` is not called if
 * the body ends early: the client is gone.
 */
function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
  request.on('error', () => undefined)
}
