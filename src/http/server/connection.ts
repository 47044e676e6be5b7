import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Exchange } from '../exchange.ts'
import { ReceivedRequest, type Site } from '../request/received-request.ts'
import { ResponseState } from '../response-state.ts'
import type { ConnectionLimits } from './limits.ts'
import { closeAfterWriting, type LingeringSockets } from './linger.ts'
import { ignoreRequests, onParsed } from './read-bytes.ts'
import { RequestBytes } from './request-bytes.ts'
import { isUpgradeOffered } from './upgrades.ts'

export interface ConnectionOptions {
  limits: ConnectionLimits
  lingering: LingeringSockets
  site: Site
  /** Answers a request. Those before it on its connection have their responses. */
  answer: (exchange: Exchange) => void
  /** Whether responses have `Connection: close`. */
  isLeaving: () => boolean
}

/** How many requests wait on all connections for the response before theirs. */
export interface Pipelined {
  count: number
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
  readonly #options: ConnectionOptions
  readonly #bytes: RequestBytes
  #state: State = 'open'
  /** The last request that was started. Its response may have been sent. */
  #current: Exchange | undefined
  /** Pipelined requests in order. Each starts when the response before it was sent. */
  readonly #waiting: Exchange[] = []
  readonly #pipelined: Pipelined
  /** The client may be sending bytes that are not needed. */
  #hasUnread = false
  /** A refusal follows the last response, and closes the connection. */
  awaitsRefusal = false

  constructor(socket: Socket, options: ConnectionOptions, pipelined: Pipelined) {
    this.socket = socket
    this.#options = options
    this.#pipelined = pipelined
    this.#bytes = new RequestBytes(socket)
    onParsed(socket, () => this.#keepIncompleteHead())
    // Node calls this when the last response of a connection was sent.
    socket.destroySoon = () => (this.awaitsRefusal ? undefined : this.close())
  }

  get isClosing(): boolean {
    return this.#state === 'closing'
  }

  /** Has no request without a response. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#current?.response.outgoing.writableFinished !== false
  }

  /** The last request that was read. Only this one can be incomplete. */
  get last(): Exchange | undefined {
    return this.#waiting.at(-1) ?? this.#current
  }

  /** The bytes of the response that is being sent are shared with other connections. */
  get isShared(): boolean {
    return this.#current?.response.isShared === true
  }

  /** What is in memory for the response that is being made or sent. */
  get reservedBytes(): number {
    return this.#current?.response.reservedBytes ?? 0
  }

  receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#state !== 'open') return
    const { site } = this.#options
    const spelling = this.#bytes.receive(incoming)
    const request = new ReceivedRequest(incoming, site, incoming, spelling === 'malformed')
    const exchange = new Exchange(request, new ResponseState(outgoing, site.budget))
    const offersUpgrade = isUpgradeOffered(incoming)
    if (mustClose(request, offersUpgrade, spelling === 'usual')) {
      this.#hasUnread = true
      exchange.response.closeConnection()
    } else if (offersUpgrade) {
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
    // Node ends our side with the client's, although a refusal may still wait for its turn.
    if (wasOpen) this.socket.end = () => this.socket
    return wasOpen
  }

  /** Drops the last request: it is neither started nor waited for. */
  dropLast(): void {
    if (this.#waiting.pop() === undefined) this.#current = undefined
    else this.#pipelined.count--
  }

  /** The client has left: nothing more is started. */
  dropPipelined(): void {
    this.#pipelined.count -= this.#waiting.splice(0).length
  }

  /** Sends `Connection: close` with the response that is being made, if no other request waits. */
  closeAfterResponse(): void {
    if (this.#waiting.length === 0 && this.#current?.response.outgoing.headersSent === false)
      this.#current.response.closeConnection()
  }

  /** Sends the last bytes and closes. */
  closeWith(bytes: string): void {
    if (this.socket.writable) this.socket.write(bytes)
    this.close()
  }

  close(): void {
    if (this.#state === 'closing') return
    this.#state = 'closing'
    Reflect.deleteProperty(this.socket, 'end')
    ignoreRequests(this.socket)
    if (this.#hasUnread || this.#current?.request.isComplete === false) {
      return this.#options.lingering.closeAfterReading(this.socket)
    }
    // As the original `destroySoon` does.
    this.socket.end()
    closeAfterWriting(this.socket)
  }

  #start(exchange: Exchange): void {
    const { isLeaving, answer } = this.#options
    this.#current = exchange
    if (isLeaving() && this.#waiting.length === 0) exchange.response.closeConnection()
    answer(exchange)
  }

  #wait(current: Exchange, exchange: Exchange): void {
    this.#hasUnread = true
    if (this.#waiting.length === this.#options.limits.maxPipelinedRequests) return this.#refuseMore()
    this.#pipelined.count++
    if (this.#waiting.push(exchange) > 1) return
    current.response.outgoing.once('finish', () => this.#startNext())
    // In the next tick: Node's parser resumes reading at the end of every request.
    process.nextTick(() => this.#waiting.length > 0 && this.socket.pause())
  }

  #startNext(): void {
    const exchange = this.isClosing ? undefined : this.#waiting.shift()
    if (this.#waiting.length === 0) this.socket.resume()
    else exchange?.response.outgoing.once('finish', () => this.#startNext())
    if (exchange === undefined) return
    this.#pipelined.count--
    this.#start(exchange)
  }

  /** Closes the connection after the waiting responses. What follows is read from the middle of a request. */
  #refuseMore(): void {
    this.#waiting.at(-1)?.response.closeConnection()
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
    if (this.#bytes.areAllParsed || this.isClosing || this.last?.request.isComplete === false) return
    this.#bytes.keepIncompleteHead()
  }
}

/** Whether the connection cannot be used after this request. */
function mustClose(request: ReceivedRequest, offersUpgrade: boolean, isUsual: boolean): boolean {
  if (request.hasUnknownCoding) return true
  const isChunked = request.headers['transfer-encoding'] !== undefined
  // A proxy of HTTP/1.0 may see its end elsewhere (RFC 9112, 6.1).
  if (isChunked && request.httpVersion === '1.0') return true
  // Node's parser drops what it reads together with the end of such a request.
  return offersUpgrade && (isChunked || !isUsual)
}

/** Runs the work when the response was sent; at once if there is none. */
export function afterResponse(exchange: Exchange | undefined, work: () => void): void {
  const outgoing = exchange?.response.outgoing
  if (outgoing === undefined || outgoing.writableFinished || outgoing.destroyed) work()
  else outgoing.once('finish', work)
}
