import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { serverLimits } from './limits.ts'
import { hasMoreSpaces, isWrittenUsually, textBeingParsed, usualLengths } from './read-bytes.ts'

/** How a request is written. `malformed`: its first line is not valid, although Node's parser accepts it. */
type Spelling = 'usual' | 'unusual' | 'malformed'

/** Tells the bytes of a connection's requests from others: of a body without a request, of TLS, an empty line. */
export class RequestBytes {
  readonly #socket: Socket
  /** Where the next request begins, in bytes from the start of the connection, if nothing but requests is sent. */
  #nextStart = 0
  /** The client writes requests in another way than most, so their bytes cannot be told from others. */
  #isWrittenUnusually = false
  /** What was read of a request whose head has not arrived yet. */
  #incompleteHead = ''

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Neither more nor less was read than requests. */
  get areAllParsed(): boolean {
    return this.#socket.bytesRead === this.#nextStart
  }

  /**
   * Finds other bytes than those of requests, and first lines that are written in another way than HTTP demands.
   * `usual`: all bytes that were read belong to requests that are written in the usual way, this one the last.
   */
  receive(request: IncomingMessage): Spelling {
    const { bytesRead } = this.#socket
    const { head, body } = usualLengths(request)
    const bodyStart = this.#nextStart + head
    const hasUsualLength = bytesRead === bodyStart || bytesRead === bodyStart + body
    if (this.#nextStart === 0) this.#isWrittenUnusually = !isWrittenUsually(request, this.#incompleteHead)
    const isUsual = hasUsualLength && !this.#isWrittenUnusually
    this.#nextStart = hasUsualLength ? bodyStart + body : bytesRead
    const hasMalformedLine = !isUsual && hasMoreSpaces(request, this.#incompleteHead)
    this.#incompleteHead = ''
    if (isUsual) return 'usual'
    return hasMalformedLine ? 'malformed' : 'unusual'
  }

  /** Keeps what was read of a request that has not begun: its first line may be gone when the rest arrives. */
  keepIncompleteHead(): void {
    const text = this.#incompleteHead + textBeingParsed(this.#socket)
    // A copy: a part of a string keeps the whole string in memory, a sum of strings each of them.
    this.#incompleteHead = Buffer.from(text.slice(-serverLimits.maxHeaderSize), 'latin1').toString('latin1')
  }
}
