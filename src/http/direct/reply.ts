import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Operation } from '../../contract/operation.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { clientBase } from '../replies/base-address.ts'
import { commonHeaders } from '../replies/common-headers.ts'
import { errorResponse, reportError } from '../replies/errors.ts'
import { loggablePath, type Observer } from '../replies/observe.ts'

/** A response, apart from the headers that every response of its operation has. */
export interface DirectResponse {
  headers: Readonly<Record<string, string>>
  body: string | Buffer
}

/** A request that is answered without Fastify, and what is known about it. */
export interface DirectExchange {
  request: IncomingMessage
  response: ServerResponse
  startedAt: number
  requestId: string
  key: ApiKey
  /** The pattern of the route. */
  route: string
}

/** A response that is ready to be sent. */
export interface PreparedResponse {
  status: number
  /** Header names and values, alternating. */
  head: readonly string[]
  body: string | Buffer
  /** `latin1` for a text whose characters are the bytes: Node writes it without encoding it. */
  encoding?: 'utf8' | 'latin1'
}

/** Sends a response and reports it. */
export function sendDirect(
  { request, response, startedAt, requestId, key, route }: DirectExchange,
  observer: Observer,
  { status, head, body, encoding = 'utf8' }: PreparedResponse,
): void {
  response.writeHead(status, ['x-request-id', requestId, ...head])
  response.end(body, encoding)
  observer.answered({
    requestId,
    keyId: key.id,
    method: request.method as string,
    route,
    path: loggablePath(request.url as string),
    status,
    milliseconds: performance.now() - startedAt,
    isStream: false,
  })
}

/** Sends the error that the gates would send. `headers` are those that only this operation has. */
export function sendDirectError(
  exchange: DirectExchange,
  observer: Observer,
  {
    operation,
    error,
    headers: more,
  }: { operation: Operation; error: unknown; headers?: DirectResponse['headers'] | undefined },
): void {
  const { status, headers, body } = errorResponse(reportError(error as Error, observer, exchange.requestId))
  sendDirect(exchange, observer, prepareResponse(status, operation, { headers: { ...headers, ...more }, body }))
}

/** Makes a response of an operation ready to be sent. */
export function prepareResponse(
  status: number,
  { stability }: Operation,
  { headers, body }: DirectResponse,
): PreparedResponse {
  const length = Buffer.byteLength(body)
  const head = [...commonHeaders, 'content-length', `${length}`]
  if (stability !== undefined) head.push('stability', stability)
  for (const name in headers) head.push(name, headers[name] as string)
  // A text of as many bytes as characters is ASCII.
  return { status, head, body, encoding: length === body.length ? 'latin1' : 'utf8' }
}

/** The base address that the client of a request used; `host` is valid. */
export function baseFor({ socket }: IncomingMessage, host: string): string {
  return clientBase((socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http', host)
}
