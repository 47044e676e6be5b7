import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Exchange, type Site } from '../exchange.ts'
import { type ConnectionLimits, serverLimits } from './limits.ts'
import { hasMoreSpaces, isWrittenUsually, onParsed, textBeingParsed, usualLengths } from './read-bytes.ts'
import { isUpgradeOffered } from './upgrades.ts'
import { closeAfterReading, closeAfterWriting } from './linger.ts'

export interface Connection {
  readonly socket: Socket
  /** The last request that was started. Its response may have been sent. */
  current: Exchange | undefined
  /** Pipelined requests in order. Each starts when the response before it was sent. */
  readonly waiting: Exchange[]
  /**
   * The event batch of the last bytes before the next request: those of the request before it. Unknown if there were
   * others: of a body, of TLS, or an empty line. Also for a request that waited: it has to see what the one before it
   * wrote.
   */
  batch: number | 'unknown'
  /** Where the next request begins, in bytes from the start of the connection, if nothing but requests is sent. */
  nextStart: number
  /** The client writes requests in another way than most, so their bytes cannot be told from others. */
  isWrittenUnusually: boolean
  /** What was read of a request whose head has not arrived yet. */
  incompleteHead: string
  /** The client may be sending bytes that are not needed. */
  hasUnread: boolean
  /** The parser failed: nothing after that can be read. */
  hasFailed: boolean
  /** Our side has ended, or ends after the last write: further requests get no response. */
  isClosing: boolean
}

export interface ConnectionsOptions {
  limits: ConnectionLimits
  site: Site
  /** Answers a request. Those before it on its connection have their responses. */
  begin: (connection: Connection, exchange: Exchange) => void
  /** Whether responses have `Connection: close`. */
  isLeaving: () => boolean
}

export type Connections = ReturnType<typeof trackConnections>

/**
 * Starts the requests of a connection one after the other, so that a client that does not read costs no more than one
 * response. Node alone would run all requests of a 64 KiB read, some thousands, before it checks the socket.
 */
export function trackConnections({ limits, site, begin, isLeaving }: ConnectionsOptions) {
  const open = new Map<Socket, Connection>()

  function start(connection: Connection, exchange: Exchange): void {
    connection.current = exchange
    if (isLeaving() && connection.waiting.length === 0) exchange.mustClose = true
    begin(connection, exchange)
  }

  function startNext(connection: Connection): void {
    const { socket, waiting, isClosing } = connection
    const exchange = isClosing ? undefined : waiting.shift()
    if (waiting.length === 0) socket.resume()
    else exchange?.response.once('finish', () => startNext(connection))
    if (exchange === undefined) return
    connection.batch = 'unknown'
    start(connection, exchange)
  }

  function close(connection: Connection): void {
    const { socket, current, hasUnread, isClosing } = connection
    if (isClosing) return
    connection.isClosing = true
    ignoreRequests(socket)
    if (hasUnread || current?.request.complete === false) closeAfterReading(socket, limits)
    else destroySoon(socket)
  }

  /** Closes the connection if more, or less, was read than its requests: Node's parser has dropped the rest. */
  function closeUnlessComplete(connection: Connection): void {
    if (connection.socket.bytesRead === connection.nextStart) return
    connection.hasUnread = true
    close(connection)
  }

  function isIdle(socket: Socket): boolean {
    const { current, waiting } = open.get(socket) ?? {}
    return waiting?.length === 0 && current?.response.writableFinished !== false
  }

  return {
    all: () => open.values(),
    count: () => open.size,
    get: (socket: Socket) => open.get(socket),
    last: ({ current, waiting }: Connection) => waiting.at(-1) ?? current,
    isIdle,
    close,

    accept(socket: Socket): void {
      const connection: Connection = {
        socket,
        current: undefined,
        waiting: [],
        batch: 'unknown',
        nextStart: 0,
        isWrittenUnusually: false,
        incompleteHead: '',
        hasUnread: false,
        hasFailed: false,
        isClosing: false,
      }
      open.set(socket, connection)
      onParsed(socket, () => keepIncompleteHead(connection))
      socket.once('close', () => open.delete(socket))
      // Node calls this when the last response of a connection was sent.
      socket.destroySoon = () => close(connection)
    },

    receive(request: IncomingMessage, response: ServerResponse): void {
      const connection = open.get(request.socket)
      if (connection === undefined || connection.isClosing) return
      const exchange = new Exchange(request, response, site)
      const { socket, current, waiting } = connection
      const isUsual = checkBytes(connection, exchange)
      connection.incompleteHead = ''
      if (mustClose(exchange, isUsual)) {
        connection.hasUnread = true
        exchange.mustClose = true
      } else if (isUpgradeOffered(request)) {
        afterResponse(exchange, () => closeUnlessComplete(connection))
      }
      if (current === undefined || isIdle(socket)) return start(connection, exchange)
      connection.hasUnread = true
      if (waiting.length === limits.maxPipelinedRequests) return refuseMore(connection)
      waiting.push(exchange)
      if (waiting.length > 1) return
      current.response.once('finish', () => startNext(connection))
      // In the next tick: Node's parser resumes reading at the end of every request.
      process.nextTick(() => waiting.length > 0 && socket.pause())
    },

    /** Drops the last request: it is neither started nor waited for. */
    drop(connection: Connection, last: Exchange): void {
      if (connection.current === last) connection.current = undefined
      else connection.waiting.pop()
    },
  }
}

/**
 * Finds other bytes than those of requests, and first lines that are written in another way than HTTP demands. Returns
 * whether all bytes that were read belong to requests that are written in the usual way, this one the last.
 */
function checkBytes(connection: Connection, exchange: Exchange): boolean {
  const { request } = exchange
  const { bytesRead } = connection.socket
  const { head, body } = usualLengths(request)
  const bodyStart = connection.nextStart + head
  const hasUsualLength = bytesRead === bodyStart || bytesRead === bodyStart + body
  if (connection.nextStart === 0) connection.isWrittenUnusually = !isWrittenUsually(request, connection.incompleteHead)
  const isUsual = hasUsualLength && !connection.isWrittenUnusually
  connection.nextStart = hasUsualLength ? bodyStart + body : bytesRead
  // A body that arrived after the response may have come in this batch.
  if (!isUsual || 'encrypted' in connection.socket || connection.current?.isAnsweredEarly === true) {
    connection.batch = 'unknown'
  }
  exchange.hasMalformedLine = !isUsual && hasMoreSpaces(request, connection.incompleteHead)
  return isUsual
}

/** Keeps what was read of a request that has not begun: its first line may be gone when the rest arrives. */
function keepIncompleteHead(connection: Connection): void {
  const { socket, current, waiting, nextStart, isClosing } = connection
  if (socket.bytesRead === nextStart || isClosing || (waiting.at(-1) ?? current)?.request.complete === false) return
  connection.incompleteHead = (connection.incompleteHead + textBeingParsed(socket)).slice(-serverLimits.maxHeaderSize)
}

/** Whether the connection cannot be used after this request. */
function mustClose({ request, headers }: Exchange, isUsual: boolean): boolean {
  const isChunked = headers['transfer-encoding'] !== undefined
  // A proxy of HTTP/1.0 may see its end elsewhere (RFC 9112, 6.1).
  if (isChunked && request.httpVersion === '1.0') return true
  // Node's parser drops what it reads together with the end of such a request.
  return isUpgradeOffered(request) && (isChunked || !isUsual)
}

/** Runs the work when the response was sent; at once if there is none. */
export function afterResponse(exchange: Exchange | undefined, work: () => void): void {
  if (exchange === undefined || exchange.response.writableFinished || exchange.response.destroyed) work()
  else exchange.response.once('finish', work)
}

/** Closes the connection after the waiting responses, and drops later requests. */
function refuseMore(connection: Connection): void {
  const last = connection.waiting.at(-1)
  if (last !== undefined) last.mustClose = true
  // What follows is read from the middle of a request.
  connection.hasFailed = true
  if (!ignoreRequests(connection.socket)) connection.socket.destroy()
}

/**
 * Makes Node drop later requests. It would parse everything that it reads and keep every request until its response was
 * sent; a few megabytes of requests without responses would stop the service for minutes. There is no public way to
 * prevent that. Returns false without a parser.
 */
function ignoreRequests(socket: Socket): boolean {
  const { parser } = socket as Socket & { parser?: { onIncoming: (request: { upgrade: boolean }) => number } | null }
  if (parser === undefined || parser === null) return false
  parser.onIncoming = (request) => {
    // Node would close the connection at once for an upgrade that nobody handles.
    request.upgrade = false
    // The parser stops, as if another protocol began, and drops the other bytes that were read with this request.
    return 2
  }
  return true
}

/** The original `socket.destroySoon`. */
function destroySoon(socket: Socket): void {
  socket.end()
  closeAfterWriting(socket)
}
