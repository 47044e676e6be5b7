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

/** Sends a response and reports it. `head` has header names and values, alternating. */
export function sendDirect(
  { request, response, startedAt, requestId, key, route }: DirectExchange,
  observer: Observer,
  {
    status,
    head,
    body,
    encoding,
  }: { status: number; head: readonly string[]; body: string | Buffer; encoding?: 'latin1' },
): void {
  response.writeHead(status, ['x-request-id', requestId, ...head])
  response.end(body, encoding ?? 'utf8')
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
  sendDirect(exchange, observer, { status, head: headOf(operation, { headers: { ...headers, ...more }, body }), body })
}

/** The headers of a direct response: names and values, alternating. */
export function headOf({ stability }: Operation, { headers, body }: DirectResponse): string[] {
  const head = [...commonHeaders, 'content-length', `${Buffer.byteLength(body)}`]
  if (stability !== undefined) head.push('stability', stability)
  for (const name in headers) head.push(name, headers[name] as string)
  return head
}

/** The base address that the client of a request used; `host` is valid. */
export function baseFor({ socket }: IncomingMessage, host: string): string {
  return clientBase((socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http', host)
}
