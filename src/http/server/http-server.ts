import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorStatus } from '../../contract/error.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { DirectCreates } from '../direct/create.ts'
import type { ResponseCache } from '../direct/response-cache.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'
import type { App } from '../fastify-types.ts'
import type { Observer } from '../replies/observe.ts'
import { claim } from '../request/claim.ts'
import { hasMalformedLine } from '../request/request-line.ts'
import { newRequestId, requestId } from '../request/request-id.ts'
import { reportFault } from '../request/slow-body.ts'
import { type Certificate, createTlsServer, trackHandshakes } from './certificate.ts'
import { afterResponse, type Connection, type Exchange, trackConnections } from './connections.ts'
import { type ConnectionLimits, serverLimits, defaultConnectionLimits } from './limits.ts'
import { drainConnections } from './drain.ts'
import { stopListening } from './stop-listening.ts'
import { http } from './node-http.ts'
import { type ParserError, parserError } from './parser-error.ts'
import { rawError } from './raw-response.ts'
import { answerUnknownMethod } from './unknown-method.ts'
import { checkLateBodies } from './late-bodies.ts'
import { checkUnsent } from './unsent-responses.ts'

export interface ServerOptions {
  responses: ResponseCache
  creates: DirectCreates
  cache: VersionedCache
  refused: Observer['refused']
  limits?: Partial<ConnectionLimits> | undefined
  /** For HTTPS. */
  certificate?: Certificate | undefined
  /** Whether responses have `Connection: close`. */
  isLeaving: () => boolean
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const checkIntervalMs = 100

export type HttpServer = ReturnType<typeof createHttpServer>

/** The HTTP server below Fastify. Unreadable requests get an error in the usual form. */
export function createHttpServer({ responses, creates, cache, refused, certificate, ...options }: ServerOptions) {
  const limits = { ...defaultConnectionLimits, ...options.limits }
  let handle: Handler
  let server: Server
  let draining: Promise<number> | undefined
  let cutHandshakes: (() => void) | undefined
  const closed = Promise.withResolvers<void>()
  const connections = trackConnections(limits, begin, options.isLeaving)

  function begin(connection: Connection, { request, response }: Exchange): void {
    connection.batch = cache.refresh(connection.batch)
    if (!hasMalformedLine(request) && (creates.serve(request, response) || responses.serve(request, response))) return
    // A gate may send the response before the body has arrived.
    connection.batch = 'unknown'
    handle(request, response)
  }

  /** Sends the last bytes of a connection and closes it. */
  function finish(connection: Connection, bytes: string): void {
    if (connection.socket.writable) connection.socket.write(bytes)
    connections.close(connection)
  }

  function refuse(connection: Connection, error: PetStoreError, id = newRequestId(), headers = {}): void {
    refused({ requestId: id, status: errorStatus[error.code], code: error.code })
    finish(connection, rawError(error, id, headers))
  }

  /** A fault in the body of the last request: it is refused, unless it has its response or is being carried out. */
  function endIncomplete(connection: Connection, last: Exchange, refusal: PetStoreError): void {
    const { request, response } = last
    if (!response.headersSent && claim(request, 'refusal')) {
      connections.drop(connection, last)
      return afterResponse(connections.last(connection), () => refuse(connection, refusal, requestId(request)))
    }
    if (!response.headersSent) response.setHeader('connection', 'close')
    reportFault(request, refusal)
    afterResponse(last, () => connections.close(connection))
  }

  function refuseConnect(request: IncomingMessage, stream: unknown): void {
    const socket = stream as Socket
    // Node no longer handles errors of this socket.
    socket.on('error', () => socket.destroy())
    const connection = connections.get(socket)
    if (connection === undefined) return void socket.destroy()
    connection.hasUnread = true
    const error = new PetStoreError('method_not_allowed', 'This service is not a proxy.')
    const headers = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }
    afterResponse(connections.last(connection), () => refuse(connection, error, requestId(request), headers))
  }

  return {
    serverFactory(handler: Handler): Server {
      handle = handler
      if (certificate === undefined) {
        server = http.createServer(serverLimits, connections.receive)
        server.on('connection', connections.accept)
      } else {
        server = createTlsServer(certificate, connections.receive)
        server.on('secureConnection', connections.accept)
        cutHandshakes = trackHandshakes(server)
      }
      // Node would send 100 Continue at once, or 417 without a body. Instead the request passes the gates in order.
      server.on('checkContinue', connections.receive)
      server.on('checkExpectation', connections.receive)
      server.on('connect', refuseConnect)
      // A connection may also be silent while its request waits for the storage.
      server.on('timeout', (socket: Socket) => {
        if (socket.writableLength > 0 || connections.isIdle(socket)) socket.destroy()
      })
      // A client may end its side after its last request (RFC 9112, 9.6) and still gets its responses.
      Object.assign(server, { httpAllowHalfOpen: true })
      // Node would close idle connections at once when it stops listening; drainConnections closes them in time.
      server.closeIdleConnections = () => undefined
      const checking = setInterval(() => {
        checkUnsent(connections.all(), limits)
        checkLateBodies(server, connections, limits)
      }, checkIntervalMs).unref()
      server.on('close', () => {
        clearInterval(checking)
        closed.resolve()
      })
      return server
    },

    connectionCount: connections.count,

    /** Accepts no more connections. Open ones stay, with Node's timeouts. */
    stopListening: () => stopListening(server),

    /**
     * Closes all connections of a stopping server. Resolves, when they have ended, to the number that had to be cut.
     */
    drain: () => (draining ??= drainConnections(server, connections, limits, closed.promise, cutHandshakes)),

    clientErrorHandler(this: unknown, error: ParserError, socket: Socket): void {
      const connection = connections.get(socket)
      const refusal = parserError(error)
      if (connection === undefined || refusal === undefined) return void socket.destroy()
      // Node reports every packet after the fault again.
      if (connection.hasFailed || connection.isClosing) return
      connection.hasFailed = true
      connection.hasUnread = true
      const last = connections.last(connection)
      if (last?.request.complete === false) return endIncomplete(connection, last, refusal)
      // A fault after the last request: earlier requests get their responses first.
      afterResponse(last, () => {
        if (connection.isClosing) return
        if (error.code !== 'HPE_INVALID_METHOD') return refuse(connection, refusal)
        answerUnknownMethod(this as App, error, socket.remoteAddress).then(
          (answer) => (answer === undefined ? refuse(connection, refusal) : finish(connection, answer)),
          () => refuse(connection, refusal),
        )
      })
    },
  }
}
