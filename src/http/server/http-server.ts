import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { errorStatus } from '../../contract/error.ts'
import { PetStoreError, unavailable } from '../../inventory/errors.ts'
import type { VersionedCache } from '../cache/versioned-cache.ts'
import { Exchange } from '../exchange.ts'
import type { Observer } from '../replies/observe.ts'
import type { Site } from '../request/received-request.ts'
import { newRequestId, requestIdFrom } from '../request/request-id.ts'
import { readHeaders } from '../request/request-headers.ts'
import { type Certificate, createTlsServer, trackHandshakes } from './certificate.ts'
import { limitConnections } from './connection-limit.ts'
import { afterResponse, type Connection } from './connection.ts'
import { trackConnections } from './connections.ts'
import { type ConnectionLimits, serverLimits, defaultConnectionLimits } from './limits.ts'
import { drainConnections } from './drain.ts'
import type { Inject } from './inject.ts'
import { stopListening } from './stop-listening.ts'
import { http } from '../node-http.ts'
import { type ParserError, parserError } from './parser-error.ts'
import { rawError } from './raw-response.ts'
import { answerUnknownMethod } from './unknown-method.ts'
import { checkLateBodies } from './late-bodies.ts'
import { lingeringSockets } from './linger.ts'
import { slices } from './slices.ts'
import { ownerOf, type Turn } from './turn.ts'
import { checkUnsent } from './unsent-responses.ts'

export interface ServerOptions {
  answer: (exchange: Exchange) => void
  inject: Inject
  site: Site
  cache: VersionedCache
  refused: Observer['refused']
  /** More headers of responses to requests that cannot be parsed, or whose rest cannot. */
  headersOf?: ((exchange: Exchange | undefined) => Record<string, string>) | undefined
  limits?: Partial<ConnectionLimits> | undefined
  /** Called when a new connection finds all of `limits.maxConnections` open. */
  connectionLimitReached?: (() => void) | undefined
  /** For HTTPS. */
  certificate?: Certificate | undefined
  /** Whether responses have `Connection: close`. */
  isLeaving: () => boolean
}

const checkIntervalMs = 100

/** What is known of a request that is refused without passing the gates. */
interface Unparsed {
  /** Undefined if its head cannot be parsed. */
  exchange?: Exchange
  id?: string
  headers?: Record<string, string>
}

export type HttpServer = ReturnType<typeof createHttpServer>

/** The HTTP server below the path of a request. Unreadable requests get an error in the usual form. */
export function createHttpServer({
  answer,
  inject,
  cache,
  refused,
  certificate,
  site,
  isLeaving,
  headersOf = () => ({}),
  ...options
}: ServerOptions) {
  const limits = { ...defaultConnectionLimits, ...options.limits }
  const closed = Promise.withResolvers<void>()
  const later = slices<() => void>({ perform: (work) => work() })
  // Together, when all that was received was parsed: one look at the version of the storage is enough for them, and the
  // same code for many requests in a row takes a quarter less time than code that alternates with parsing.
  const inTurn = slices<Turn>({
    perform: (turn) => (turn instanceof Exchange ? answerOrRefuse(turn) : turn.run()),
    ownerOf,
    begin: cache.refresh,
    yieldsToArrivals: () => connections.haveRoom(),
  })
  const lingering = lingeringSockets(limits)
  let draining: Promise<number> | undefined
  const connections = trackConnections({
    limits,
    lingering,
    site,
    answer: inTurn,
    isLeaving,
  })

  function refuse(connection: Connection, error: PetStoreError, { exchange, id, headers }: Unparsed = {}): void {
    const requestId = id ?? exchange?.request.id ?? newRequestId()
    const status = errorStatus[error.code]
    // For whoever traces the request.
    if (exchange !== undefined) exchange.response.outgoing.statusCode = status
    refused({ requestId, status, code: error.code })
    connection.closeWith(rawError(error, requestId, { ...headersOf(exchange), ...headers }))
  }

  function answerOrRefuse(exchange: Exchange): void {
    const socket = isBeyondLimit(exchange) ? exchange.request.incoming?.socket : undefined
    const connection = socket && connections.get(socket)
    if (connection === undefined) return answer(exchange)
    refuse(connection, unavailable('Too many connections are open; try again.'), { exchange })
  }

  /** A fault in the body of the last request: it is refused, unless it has its response or is being carried out. */
  function endIncomplete(connection: Connection, last: Exchange, refusal: PetStoreError): void {
    const { response } = last
    if (!response.outgoing.headersSent && response.claim('refusal')) {
      connection.dropLast()
      return afterResponse(connection.last, () => refuse(connection, refusal, { exchange: last }))
    }
    response.closeConnection()
    response.reportBodyFault(refusal)
    afterResponse(last, () => connection.close())
  }

  function refuseConnect(request: IncomingMessage, stream: unknown): void {
    const socket = stream as Socket
    // Node no longer handles errors of this socket.
    socket.on('error', () => socket.destroy())
    const connection = connections.get(socket)
    if (connection === undefined) return void socket.destroy()
    connection.stopReading()
    const error = new PetStoreError('method_not_allowed', 'This service is not a proxy.')
    const headers = { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }
    const id = requestIdFrom(readHeaders(request.rawHeaders))
    afterResponse(connection.last, () => refuse(connection, error, { id, headers }))
  }

  function refuseUnreadable(error: ParserError, socket: Socket): void {
    const connection = connections.get(socket)
    const refusal = parserError(error)
    if (connection === undefined || refusal === undefined) return void socket.destroy()
    // Node reports every packet after the fault again.
    if (!connection.stopReading()) return
    // After `Connection: close` nothing is answered.
    connection.awaitsRefusal = error.code !== 'HPE_CLOSED_CONNECTION'
    inTurn({ after: connection.last, run: () => refuseRest(connection, error, refusal) })
  }

  function refuseRest(connection: Connection, error: ParserError, refusal: PetStoreError): void {
    const { last, socket } = connection
    if (socket.destroyed) return
    if (last?.request.isComplete === false) return endIncomplete(connection, last, refusal)
    // A fault after the last request: earlier requests get their responses first.
    afterResponse(last, () => {
      if (connection.isClosing) return
      if (error.code !== 'HPE_INVALID_METHOD') return refuse(connection, refusal)
      // The server did this for other requests.
      cache.refresh()
      answerUnknownMethod(inject, error, socket.remoteAddress).then(
        (bytes) => (bytes === undefined ? refuse(connection, refusal) : connection.closeWith(bytes)),
        () => refuse(connection, refusal),
      )
    })
  }

  const server: Server =
    certificate === undefined
      ? http.createServer(serverLimits, connections.receive)
      : createTlsServer(certificate, connections.receive)
  server.on(certificate === undefined ? 'connection' : 'secureConnection', connections.accept)
  const isBeyondLimit = limitConnections(
    server,
    connections,
    limits,
    options.connectionLimitReached ?? (() => undefined),
  )
  const cutHandshakes = certificate && trackHandshakes(server)
  // Node would send 100 Continue at once, or 417 without a body. Instead the request passes the gates in order.
  server.on('checkContinue', connections.receive)
  server.on('checkExpectation', connections.receive)
  server.on('connect', refuseConnect)
  server.on('clientError', refuseUnreadable)
  // A connection may also be silent while its request waits for the storage.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || connections.get(socket)?.isIdle) later(() => socket.destroy())
  })
  // A client may end its side after its last request (RFC 9112, 9.6) and still gets its responses.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Node would close idle connections at once when it stops listening; drainConnections closes them in time.
  server.closeIdleConnections = () => undefined
  const checking = setInterval(() => {
    site.budget.cutSlow()
    checkUnsent(connections.all(), limits)
    checkLateBodies(server, connections, limits)
    lingering.check(later)
  }, checkIntervalMs).unref()
  server.on('close', () => {
    clearInterval(checking)
    closed.resolve()
  })

  return {
    server,

    connectionCount: connections.count,

    /** Accepts no more connections. Open ones stay, with Node's timeouts. */
    stopListening: () => stopListening(server),

    /**
     * Closes all connections of a stopping server. Resolves, when they have ended, to the number that had to be cut.
     */
    drain: () => (draining ??= drainConnections(server, connections, limits, closed.promise, cutHandshakes)),

    /** Stops listening, if it was listening. Resolves when all connections have ended. */
    async close(): Promise<void> {
      if (server.listening) server.close()
      else if (connections.count() === 0) closed.resolve()
      await closed.promise
    },
  }
}
