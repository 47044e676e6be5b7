import type { Socket } from 'node:net'
import { HttpFault, type HttpResponse, ResponseReader } from './response-reader.ts'
import { connect, encode, type HttpLimits, type HttpRequest, reasonOf } from './send.ts'

/** Sends requests one after another on one connection, as most clients do, and on a new one when the server has closed it. */
export class KeptConnection {
  #connection: Connection | undefined

  async send(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse> {
    const kept: HttpRequest = { ...request, headers: [['Connection', 'keep-alive'], ...request.headers] }
    const used = this.#connection?.isOpen === true ? this.#connection : undefined
    const connection = (this.#connection = used ?? new Connection(request.url))
    try {
      return await connection.exchange(kept, limits)
    } catch (error) {
      // A server may close a connection that is not in use, also while the next request is on its way.
      if (used === undefined || connection.hasReceived || request.method !== 'GET') throw error
      this.#connection = new Connection(request.url)
      return this.#connection.exchange(kept, limits)
    }
  }

  close(): void {
    this.#connection?.close()
  }
}

class Connection {
  readonly #socket: Socket
  /** What came and was not read: a server may send more than was asked for. */
  #unread: Buffer[] = []
  #wake: () => void = () => undefined
  #ended: string | undefined
  /** Whether something came since the last request was sent. */
  hasReceived = false

  constructor(url: URL) {
    this.#socket = connect(url)
    this.#socket.on('data', (bytes: Buffer) => {
      this.#unread.push(bytes)
      this.hasReceived = true
      this.#wake()
    })
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#end(reasonOf(error, 0)))
    this.#socket.on('close', () => this.#end('closed the connection'))
    this.#socket.on('end', () => this.#end('closed the connection'))
  }

  get isOpen(): boolean {
    return this.#ended === undefined
  }

  close(): void {
    this.#socket.destroy()
  }

  #end(reason: string): void {
    this.#ended ??= reason
    this.#wake()
  }

  /** The next response on this connection, which is the one to this request if the server keeps count. */
  async exchange(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse> {
    const reader = new ResponseReader(limits, request.method === 'HEAD')
    const timer = setTimeout(() => this.#end(`sent no whole response within ${limits.timeoutMs} ms`), limits.timeoutMs)
    this.hasReceived = this.#unread.length > 0
    this.#socket.write(encode(request))
    try {
      for (;;) {
        const response = this.#read(reader)
        if (response !== undefined) return this.#after(response, reader)
        if (this.#ended !== undefined) {
          this.close()
          if (this.#ended === 'closed the connection') return reader.end()
          throw new HttpFault(this.#ended)
        }
        await new Promise<void>((resolve) => void (this.#wake = resolve))
      }
    } catch (error) {
      this.#end('closed the connection')
      this.close()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #read(reader: ResponseReader): HttpResponse | undefined {
    const bytes = this.#unread
    this.#unread = []
    return bytes.length === 0 ? undefined : reader.push(Buffer.concat(bytes))
  }

  #after(response: HttpResponse, reader: ResponseReader): HttpResponse {
    if (reader.rest.length > 0) this.#unread.unshift(reader.rest)
    const value = response.headers.find(([name]) => name === 'connection')?.[1] ?? ''
    if (/\bclose\b/i.test(value) || !reader.isPersistent) {
      this.#end('closed the connection')
      this.close()
    }
    return response
  }
}
