import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PetStoreError } from '../../inventory/errors.ts'
import type { App } from '../fastify-types.ts'
import { errorBody } from '../replies/errors.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { http } from './node-http.ts'
import type { Observer } from '../replies/observe.ts'
import { newRequestId, requestId } from '../replies/request-id.ts'
import { serverLimits } from './limits.ts'
import { type ParserError, parserError } from './parser-error.ts'
import { askWithUnknownMethod } from './unknown-method.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  before: ServerResponse | undefined
  /** When the request arrived, as a turn of the event loop. */
  turn: number
}

export interface ServerOptions {
  responses: ResponseCache
  cache: VersionedCache
  refused: Observer['refused']
}

/** The HTTP server that Fastify builds on. What it cannot read it refuses in the shape of every other error. */
export function createHttpServer({ responses, cache, refused }: ServerOptions) {
  // What each connection is busy with, and the answer before that: to know whom a fault in its bytes concerns.
  const latest = new WeakMap<Socket, Exchange>()

  function note(request: IncomingMessage, response: ServerResponse): void {
    const { turn } = cache
    const exchange = latest.get(request.socket)
    if (exchange === undefined) {
      latest.set(request.socket, { request, response, before: undefined, turn })
      return
    }
    // Two requests of one connection in one turn: the second may have been sent after the first was read.
    if (exchange.turn === turn) cache.expire()
    exchange.before = exchange.response
    exchange.request = request
    exchange.response = response
    exchange.turn = turn
  }

  function refuse(socket: Socket, error: PetStoreError, id = newRequestId()): void {
    refused({ requestId: id, status: error.status, code: error.code })
    socket.end(rawAnswer(error, id))
  }

  return {
    serverFactory(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
      const server = http.createServer(serverLimits, (request, response) => {
        note(request, response)
        if (!responses.serve(request, response)) handle(request, response)
      })
      // Node would answer 417 without a body; as a request like any other it meets the gates in their order.
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
        note(request, response)
        handle(request, response)
      })
      server.on('connect', (request, socket) => {
        // Node has let go of this socket: nobody else listens for its errors or ends it.
        socket.on('error', () => socket.destroy())
        const error = new PetStoreError('method_not_allowed', 'This service is no proxy.', {
          allow: 'GET, HEAD, POST, PUT, PATCH, DELETE',
        })
        refuse(socket as Socket, error, requestId(request))
        ;(socket as Socket).destroySoon()
      })
      return server
    },

    clientErrorHandler(this: unknown, error: ParserError, socket: Socket): void {
      const refusal = parserError(error)
      if (refusal === undefined || !socket.writable) return void socket.destroy()
      const { request, response, before } = latest.get(socket) ?? {}
      if (request?.complete === false) {
        // In the body of a request: that one gets the answer, in its turn, unless it has one already.
        if (response?.headersSent) return socket.destroySoon()
        return afterAnswer(before, () => refuse(socket, refusal, requestId(request)))
      }
      // In what follows the last request: whoever asked properly before is answered first.
      afterAnswer(response, () => {
        if (error.code !== 'HPE_INVALID_METHOD') return refuse(socket, refusal)
        askWithUnknownMethod(this as App, error.rawPacket).then(
          (answer) => (answer === undefined ? refuse(socket, refusal) : socket.end(answer)),
          () => refuse(socket, refusal),
        )
      })
    },
  }
}

function afterAnswer(response: ServerResponse | undefined, work: () => void): void {
  if (response === undefined || response.writableFinished || response.destroyed) work()
  else response.once('finish', work)
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
}

function rawAnswer(error: PetStoreError, requestId: string): string {
  const body = errorBody(error)
  const headers = Object.entries({
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
    ...error.headers,
  })
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${error.status} ${reasons[error.status]}\r\n${head}\r\n${body}`
}
