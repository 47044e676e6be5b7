import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './limits.ts'
import { closeAfterReading } from './linger.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Connection {
  readonly socket: Socket
  /** The last request that was begun. Its answer may have left already. */
  current: Exchange | undefined
  /** Pipelined requests in their order. Each is begun when the answer before it has left. */
  readonly waiting: Exchange[]
  /** The batch of events in which a request was last begun. */
  batch: number
  /** The client may be sending what nobody will use. */
  hasUnread: boolean
  /** The parser gave up: nothing that follows can be read. */
  hasFailed: boolean
  /** Our side has ended, or ends once it is written: what still arrives gets no answer. */
  isClosing: boolean
}

export type Connections = ReturnType<typeof trackConnections>

/**
 * Begins the requests of a connection one after the other, so that a client that does not read its answers costs no more
 * than one. Node alone would run all requests of a read of 64 KiB, some thousands, before it looks at the socket.
 */
export function trackConnections(
  limits: ConnectionLimits,
  begin: (connection: Connection, exchange: Exchange) => void,
  isLeaving: () => boolean,
) {
  const open = new Map<Socket, Connection>()

  function start(connection: Connection, exchange: Exchange): void {
    connection.current = exchange
    if (isLeaving() && connection.waiting.length === 0) exchange.response.setHeader('connection', 'close')
    begin(connection, exchange)
  }

  function startNext(connection: Connection): void {
    const { socket, waiting, isClosing } = connection
    const exchange = isClosing ? undefined : waiting.shift()
    if (waiting.length === 0) socket.resume()
    else exchange?.response.once('finish', () => startNext(connection))
    if (exchange !== undefined) start(connection, exchange)
  }

  function close(connection: Connection): void {
    const { socket, current, hasUnread, isClosing } = connection
    if (isClosing) return
    connection.isClosing = true
    ignoreRequests(socket)
    if (hasUnread || current?.request.complete === false) closeAfterReading(socket, limits)
    else destroySoon(socket)
  }

  function isIdle(socket: Socket): boolean {
    const { current, waiting } = open.get(socket) ?? {}
    return waiting?.length === 0 && current?.response.writableFinished !== false
  }

  return {
    all: () => open.values(),
    get: (socket: Socket) => open.get(socket),
    last: ({ current, waiting }: Connection) => waiting.at(-1) ?? current,
    isIdle,
    close,

    accept(socket: Socket): void {
      const connection: Connection = {
        socket,
        current: undefined,
        waiting: [],
        batch: 0,
        hasUnread: false,
        hasFailed: false,
        isClosing: false,
      }
      open.set(socket, connection)
      socket.once('close', () => open.delete(socket))
      // Node calls this when the last answer of a connection has left.
      socket.destroySoon = () => close(connection)
    },

    receive(request: IncomingMessage, response: ServerResponse): void {
      const connection = open.get(request.socket)
      if (connection === undefined || connection.isClosing) return
      const { socket, current, waiting } = connection
      if (current === undefined || isIdle(socket)) return start(connection, { request, response })
      connection.hasUnread = true
      if (waiting.length === limits.maxPipelinedRequests) return refuseMore(connection)
      waiting.push({ request, response })
      if (waiting.length > 1) return
      current.response.once('finish', () => startNext(connection))
      // Not at once: Node's parser reads on at the end of every request.
      process.nextTick(() => waiting.length > 0 && socket.pause())
    },

    /** Forgets the last request: it will not be begun, nor waited for. */
    drop(connection: Connection, last: Exchange): void {
      if (connection.current === last) connection.current = undefined
      else connection.waiting.pop()
    },
  }
}

/** Does the work once the answer has left; at once where there is none to wait for. */
export function afterAnswer(exchange: Exchange | undefined, work: () => void): void {
  if (exchange === undefined || exchange.response.writableFinished || exchange.response.destroyed) work()
  else exchange.response.once('finish', work)
}

/** Closes the connection after the answers to the requests that wait, and drops those that follow. */
function refuseMore({ socket, waiting }: Connection): void {
  waiting.at(-1)?.response.setHeader('connection', 'close')
  if (!ignoreRequests(socket)) socket.destroy()
}

/**
 * Lets Node forget the requests that follow. It parses all that it reads and holds on to every request until its answer has
 * left; of those that get none, a few megabytes would stop the service for minutes. Nothing public keeps it from that.
 * Returns false where there is no parser.
 */
function ignoreRequests(socket: Socket): boolean {
  const { parser } = socket as Socket & { parser?: { onIncoming: () => number } | null }
  if (parser === undefined || parser === null) return false
  parser.onIncoming = () => 0
  return true
}

/** What `socket.destroySoon` is where it is not replaced. */
function destroySoon(socket: Socket): void {
  socket.end()
  if (socket.writableFinished) socket.destroy()
  else socket.once('finish', () => socket.destroy())
}
