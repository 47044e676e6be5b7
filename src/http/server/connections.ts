import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { noteArrival } from '../../inventory/loop-steps.ts'
import { Exchange, type Site } from '../exchange.ts'
import type { ConnectionLimits } from './limits.ts'
import { closeAfterWriting, type LingeringSockets } from './linger.ts'
import { ignoreRequests, onParsed } from './read-bytes.ts'
import { RequestBytes } from './request-bytes.ts'
import { isUpgradeOffered } from './upgrades.ts'

export interface ConnectionsOptions {
  limits: ConnectionLimits
  lingering: LingeringSockets
  site: Site
  /** Answers a request. Those before it on its connection have their responses. */
  answer: (exchange: Exchange) => void
  /** Whether responses have `Connection: close`. */
  isLeaving: () => boolean
}

/**
 * A connection goes through these states in this order; it may skip the second one.
 * - open: requests are read and answered, one after the other.
 * - unreadable: nothing more can be read. Requests that were read get their responses.
 * - closing: our side has ended, or ends after the last write. No request is answered.
 */
type State = 'open' | 'unreadable' | 'closing'

/**
 * Starts the requests of a connection one after the other, so that a client that does not read costs no more than one
 * response. Node alone would run all requests of a 64 KiB read, some thousands, before it checks the socket.
 */
export class Connection {
  readonly socket: Socket
  readonly #options: ConnectionsOptions
  readonly #bytes: RequestBytes
  #state: State = 'open'
  /** The last request that was started. Its response may have been sent. */
  #current: Exchange | undefined
  /** Pipelined requests in order. Each starts when the response before it was sent. */
  readonly #waiting: Exchange[] = []
  /** The client may be sending bytes that are not needed. */
  #hasUnread = false

  constructor(socket: Socket, options: ConnectionsOptions) {
    this.socket = socket
    this.#options = options
    this.#bytes = new RequestBytes(socket)
    onParsed(socket, () => this.#keepIncompleteHead())
    // Node calls this when the last response of a connection was sent.
    socket.destroySoon = () => this.close()
  }

  get isClosing(): boolean {
    return this.#state === 'closing'
  }

  /** Has no request without a response. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#current?.response.writableFinished !== false
  }

  /** The last request that was read. Only this one can be incomplete. */
  get last(): Exchange | undefined {
    return this.#waiting.at(-1) ?? this.#current
  }

  /** The bytes of the response that is being sent are shared with other connections. */
  get isShared(): boolean {
    return this.#current?.isShared === true
  }

  /** What is in memory for the response that is being made or sent. */
  get reservedBytes(): number {
    return this.#current?.reservedBytes ?? 0
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#state !== 'open') return
    const exchange = new Exchange(request, response, this.#options.site)
    const isUsual = this.#bytes.receive(exchange)
    if (mustClose(exchange, isUsual)) {
      this.#hasUnread = true
      exchange.mustClose = true
    } else if (isUpgradeOffered(request)) {
      afterResponse(exchange, () => this.#closeUnlessParsed())
    }
    if (this.#current === undefined || this.isIdle) this.#start(exchange)
    else this.#wait(this.#current, exchange)
  }

  /** Nothing more can be read. Returns false if that was known. */
  stopReading(): boolean {
    const wasOpen = this.#state === 'open'
    if (wasOpen) this.#state = 'unreadable'
    this.#hasUnread = true
    return wasOpen
  }

  /** Drops the last request: it is neither started nor waited for. */
  dropLast(): void {
    if (this.#waiting.pop() === undefined) this.#current = undefined
  }

  /** Sends `Connection: close` with the response that is being made, if no other request waits. */
  closeAfterResponse(): void {
    if (this.#waiting.length === 0 && this.#current?.response.headersSent === false) this.#current.mustClose = true
  }

  /** Sends the last bytes and closes. */
  closeWith(bytes: string): void {
    if (this.socket.writable) this.socket.write(bytes)
    this.close()
  }

  close(): void {
    if (this.#state === 'closing') return
    this.#state = 'closing'
    ignoreRequests(this.socket)
    if (this.#hasUnread || this.#current?.request.complete === false) {
      return this.#options.lingering.closeAfterReading(this.socket)
    }
    // As the original `destroySoon` does.
    this.socket.end()
    closeAfterWriting(this.socket)
  }

  #start(exchange: Exchange): void {
    const { isLeaving, answer } = this.#options
    this.#current = exchange
    if (isLeaving() && this.#waiting.length === 0) exchange.mustClose = true
    answer(exchange)
  }

  #wait(current: Exchange, exchange: Exchange): void {
    this.#hasUnread = true
    if (this.#waiting.length === this.#options.limits.maxPipelinedRequests) return this.#refuseMore()
    if (this.#waiting.push(exchange) > 1) return
    current.response.once('finish', () => this.#startNext())
    // In the next tick: Node's parser resumes reading at the end of every request.
    process.nextTick(() => this.#waiting.length > 0 && this.socket.pause())
  }

  #startNext(): void {
    const exchange = this.isClosing ? undefined : this.#waiting.shift()
    if (this.#waiting.length === 0) this.socket.resume()
    else exchange?.response.once('finish', () => this.#startNext())
    if (exchange === undefined) return
    this.#start(exchange)
  }

  /** Closes the connection after the waiting responses. What follows is read from the middle of a request. */
  #refuseMore(): void {
    const last = this.#waiting.at(-1)
    if (last !== undefined) last.mustClose = true
    this.stopReading()
    if (!ignoreRequests(this.socket)) this.socket.destroy()
  }

  /** Closes the connection if more, or less, was read than its requests: Node's parser has dropped the rest. */
  #closeUnlessParsed(): void {
    if (this.#bytes.areAllParsed) return
    this.#hasUnread = true
    this.close()
  }

  #keepIncompleteHead(): void {
    if (this.#bytes.areAllParsed || this.isClosing || this.last?.request.complete === false) return
    this.#bytes.keepIncompleteHead()
  }
}

export type Connections = ReturnType<typeof trackConnections>

/** All open connections of a server. */
export function trackConnections(options: ConnectionsOptions) {
  const open = new Map<Socket, Connection>()
  return {
    all: () => open.values(),
    count: () => open.size,
    get: (socket: Socket) => open.get(socket),

    accept(socket: Socket): void {
      noteArrival()
      open.set(socket, new Connection(socket, options))
      socket.once('close', () => open.delete(socket))
    },

    receive(request: IncomingMessage, response: ServerResponse): void {
      open.get(request.socket)?.receive(request, response)
    },
  }
}

/** Whether the connection cannot be used after this request. */
function mustClose({ request, headers, hasUnknownCoding }: Exchange, isUsual: boolean): boolean {
  if (hasUnknownCoding) return true
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
