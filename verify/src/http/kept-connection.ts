import type { Socket } from 'node:net'
import { HttpFault, type HttpResponse, ResponseReader } from './response-reader.ts'
import { connect, encode, type HttpLimits, type HttpRequest, reasonOf, send } from './send.ts'

/** What requests are sent on. */
export interface RequestConnection {
  send(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse>
}

/** Sends requests one after another on one connection, as most clients do, and on a new one when the server has closed it. */
export class KeptConnection implements RequestConnection {
  #connection: Connection | undefined
  readonly #saysSo: boolean

  /** HTTP/1.1 keeps a connection, whether or not a request says so. */
  constructor(saysSo = true) {
    this.#saysSo = saysSo
  }

  async send(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse> {
    const kept: HttpRequest = this.#saysSo
      ? { ...request, headers: [['Connection', 'keep-alive'], ...request.headers] }
      : { ...request, without: [...(request.without ?? []), 'Connection'] }
    const used = this.#connection?.isOpen === true ? this.#connection : undefined
    const connection = (this.#connection = used ?? new Connection(request.url))
    try {
      return await connection.exchange(kept, limits)
    } catch (error) {
      // A server may close a connection that is not in use, also while the next request is on its way. It may not keep it
      // and say nothing.
      const isClosed = error instanceof HttpFault && /^(?:closed|reset) /.test(error.message)
      if (used === undefined || !isClosed || connection.hasReceived || request.method !== 'GET') throw error
      this.#connection = new Connection(request.url)
      return this.#connection.exchange(kept, limits)
    }
  }

  close(): void {
    this.#connection?.close()
  }
}

/** Sends so many requests at once, then reads their responses. Later ones have connections of their own. */
export class Pipeline implements RequestConnection {
  readonly #count: number
  readonly #waiting: { request: HttpRequest; limits: HttpLimits; take: (response: Promise<HttpResponse>) => void }[] =
    []
  #sent = 0

  constructor(count: number) {
    this.#count = count
  }

  send(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse> {
    if (++this.#sent > this.#count) return send(request, limits)
    const response = new Promise<HttpResponse>((take) => void this.#waiting.push({ request, limits, take }))
    if (this.#sent === this.#count) void this.#exchangeAll()
    return response
  }

  async #exchangeAll(): Promise<void> {
    const [first] = this.#waiting
    if (first === undefined) return
    const connection = new Connection(first.request.url)
    const kept = this.#waiting.map(({ request }) => ({
      ...request,
      without: [...(request.without ?? []), 'Connection'],
    }))
    connection.write(Buffer.concat(kept.map(encode)))
    for (const { request, limits, take } of this.#waiting) {
      const response = connection.receive(request.method, limits)
      take(response)
      await response.catch(() => undefined)
    }
    connection.close()
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

  exchange(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse> {
    this.hasReceived = this.#unread.length > 0
    this.write(encode(request))
    return this.receive(request.method, limits)
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  /** The next response on this connection, which is the one to the next request if the server keeps count. */
  async receive(method: string, limits: HttpLimits): Promise<HttpResponse> {
    const reader = new ResponseReader(limits, method === 'HEAD')
    const timer = setTimeout(() => this.#end(`sent no whole response within ${limits.timeoutMs} ms`), limits.timeoutMs)
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
      // A response to what the server will not read.
      this.#unread = []
    }
    return response
  }
}
