import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { PetStoreError } from '../inventory/errors.ts'
import type { App } from './fastify-types.ts'
import { errorBody } from './errors.ts'
import type { ExpressLane } from './express-lane.ts'
import type { Observer } from './observe.ts'
import { newRequestId, requestId } from './request-id.ts'
import { type ParserError, parserError, serverLimits } from './transport.ts'
import { askWithUnknownMethod } from './unknown-method.ts'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  before: ServerResponse | undefined
}

export interface ServerOptions {
  lane: ExpressLane
  refused: Observer['refused']
}

/** The server below the gates, for Fastify to build on. What it cannot read it refuses in the words of any other error. */
export function serverBelow({ lane, refused }: ServerOptions) {
  // What each connection is busy with, and the answer before that: to know whom a fault in its bytes concerns.
  const latest = new WeakMap<Socket, Exchange>()

  function note(request: IncomingMessage, response: ServerResponse): void {
    latest.set(request.socket, { request, response, before: latest.get(request.socket)?.response })
  }

  function refuse(socket: Socket, error: PetStoreError, id = newRequestId()): void {
    refused({ requestId: id, status: error.status, code: error.code })
    socket.end(rawAnswer(error, id))
  }

  return {
    serverFactory(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
      const server = createServer(serverLimits, (request, response) => {
        note(request, response)
        if (!lane.serve(request, response)) handle(request, response)
      })
      // Node would answer 417 without a body; as a request like any other it meets the gates in their order.
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
        note(request, response)
        handle(request, response)
      })
      server.on('connect', (request, socket) => {
        // Node has let go of this socket: nobody else listens for its errors or ends it.
        socket.on('error', () => socket.destroy())
        const error = new PetStoreError('method_not_allowed', 'This service is no proxy.', { allow: 'GET, HEAD, POST' })
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
    Connection: 'close',
    ...error.headers,
  })
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${error.status} ${reasons[error.status]}\r\n${head}\r\n${body}`
}
