export interface HttpResponse {
  status: number
  /** Of a server that speaks HTTP/1.0 only. */
  isVersion10?: true
  /** Names in lower case. */
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer
  /** The body without its Content-Encoding, if the request accepts that. */
  content?: Buffer
}

export interface SizeLimits {
  /** Of the status line and the headers, interim responses included. */
  maxHeadBytes: number
  maxBodyBytes: number
}

type Part = 'head' | 'sized body' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'body until close' | 'end'

/** The longest line that gives the size of a chunk. */
const maxSizeLineBytes = 1024

/** Reads one response of HTTP/1.1 from the bytes of a connection. Its memory is bounded by the limits. */
export class ResponseReader {
  readonly #limits: SizeLimits
  readonly #isHead: boolean
  #part: Part = 'head'
  #unread: Buffer = Buffer.alloc(0)
  #headBytes = 0
  #bodyBytes = 0
  /** What is missing of a body or chunk. */
  #missingBytes = 0
  #status = 0
  #isVersion11 = false
  #headers: [string, string][] = []
  /** Grows by doubling: a server may send its body byte by byte. */
  #body = Buffer.alloc(1024)
  #bodyLength = 0

  /** The response to a HEAD request has no body, whatever its headers say. */
  constructor(limits: SizeLimits, isHead = false) {
    this.#limits = limits
    this.#isHead = isHead
  }

  /** What came after the response. */
  get rest(): Buffer {
    return this.#unread
  }

  /** Whether the version of the response lets the connection stay open. */
  get isPersistent(): boolean {
    return this.#isVersion11
  }

  /** The response as far as it came, undefined before the end of its head. */
  soFar(): HttpResponse | undefined {
    return this.#part === 'head' ? undefined : this.#response()
  }

  /** Takes the next bytes. Returns the response when it is complete; throws an HttpFault if it can never be. */
  push(bytes: Buffer): HttpResponse | undefined {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes])
    while (this.#step());
    return this.#part === 'end' ? this.#response() : undefined
  }

  /** The server has closed the connection. */
  end(): HttpResponse {
    if (this.#part === 'body until close' || this.#part === 'end') return this.#response()
    const received = this.#headBytes + this.#bodyBytes + this.#unread.length
    throw new HttpFault(
      received === 0
        ? 'closed the connection without a response'
        : `closed the connection in the middle of the response, after ${received} bytes`,
    )
  }

  #response(): HttpResponse {
    const version = this.#isVersion11 ? {} : { isVersion10: true as const }
    return { status: this.#status, ...version, headers: this.#headers, body: this.#body.subarray(0, this.#bodyLength) }
  }

  /** Reads what it can of the current part. Returns whether the next part may begin. */
  #step(): boolean {
    switch (this.#part) {
      case 'head':
        return this.#readHead()
      case 'sized body':
        return this.#readSized('end')
      case 'chunk size':
        return this.#readChunkSize()
      case 'chunk':
        return this.#readSized('chunk end')
      case 'chunk end':
        return this.#readLine((line) => {
          if (line !== '') throw new HttpFault('sent a chunk that is longer than its size')
          this.#part = 'chunk size'
        })
      case 'trailer':
        return this.#readLine((line) => {
          if (line === '') this.#part = 'end'
        })
      case 'body until close':
        this.#missingBytes = Infinity
        return this.#readSized('end')
      case 'end':
        return false
    }
  }

  #readHead(): boolean {
    if (this.#unread.length > 0 && !/^(?:H|HT|HTT|HTTP.*)$/s.test(this.#unread.toString('latin1', 0, 5)))
      throw new HttpFault(`sent something other than HTTP: ${JSON.stringify(this.#unread.toString('latin1', 0, 40))}`)
    const end = this.#unread.indexOf('\r\n\r\n')
    if (this.#headBytes + (end === -1 ? this.#unread.length : end) > this.#limits.maxHeadBytes)
      throw new HttpFault(`sent headers of more than ${this.#limits.maxHeadBytes} bytes`)
    if (end === -1) return false
    const [statusLine = '', ...lines] = this.#unread.toString('latin1', 0, end).split('\r\n')
    this.#unread = this.#unread.subarray(end + 4)
    this.#headBytes += end + 4
    const status = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(statusLine)?.[1]
    if (status === undefined)
      throw new HttpFault(`sent an invalid status line: ${JSON.stringify(statusLine.slice(0, 200))}`)
    this.#status = Number(status)
    this.#isVersion11 = statusLine.startsWith('HTTP/1.1')
    if (this.#status === 101) throw new HttpFault('switched to another protocol, which nobody asked for')
    // An interim response. The real one follows.
    if (this.#status < 200) return true
    this.#headers = lines.map(readHeader)
    this.#part = this.#bodyPart()
    return true
  }

  #bodyPart(): Part {
    const values = (name: string) => this.#headers.filter(([other]) => other === name).map(([, value]) => value)
    if (this.#isHead || this.#status === 204 || this.#status === 304) return this.#withoutBody()
    const coding = values('transfer-encoding').join(',').toLowerCase()
    // Which of the two counts, no client can be sure of: RFC 9112, section 6.2.
    if (coding !== '' && values('content-length').length > 0) throw new HttpFault('sent a Content-Length with chunks')
    if (coding === 'chunked') return 'chunk size'
    if (coding !== '') throw new HttpFault(`sent a body in the transfer coding "${coding}", which nobody asked for`)
    const lengths = values('content-length')
    if (lengths.length === 0) return 'body until close'
    const [length = ''] = lengths
    // The same length twice is refused by some clients: RFC 9112, section 6.3.
    if (lengths.length > 1 || !/^\d{1,15}$/.test(length))
      throw new HttpFault(`sent an invalid Content-Length: ${JSON.stringify(lengths.join(', '))}`)
    this.#missingBytes = Number(length)
    return this.#missingBytes === 0 ? 'end' : 'sized body'
  }

  /** As far as a body comes with the head: the connection may stay open. */
  #withoutBody(): Part {
    const response = this.#isHead ? 'response to HEAD' : `response ${this.#status}`
    if (this.#unread.length > 0) throw new HttpFault(`sent a body with a ${response}, which has none`)
    return 'end'
  }

  #readSized(next: Part): boolean {
    const bytes = this.#unread.subarray(0, this.#missingBytes)
    if (bytes.length === 0) return false
    this.#unread = this.#unread.subarray(bytes.length)
    this.#missingBytes -= bytes.length
    this.#bodyBytes += bytes.length
    if (this.#bodyBytes > this.#limits.maxBodyBytes)
      throw new HttpFault(`sent a body of more than ${this.#limits.maxBodyBytes} bytes`)
    this.#append(bytes)
    if (this.#missingBytes === 0) this.#part = next
    return this.#missingBytes === 0
  }

  #append(bytes: Buffer): void {
    const length = this.#bodyLength + bytes.length
    if (length > this.#body.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#body.length))
      this.#body.copy(larger, 0, 0, this.#bodyLength)
      this.#body = larger
    }
    bytes.copy(this.#body, this.#bodyLength)
    this.#bodyLength = length
  }

  #readChunkSize(): boolean {
    return this.#readLine((line) => {
      const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)?.[1]
      if (size === undefined) throw new HttpFault(`sent an invalid chunk size: ${JSON.stringify(line.slice(0, 40))}`)
      this.#missingBytes = Number.parseInt(size, 16)
      this.#part = this.#missingBytes === 0 ? 'trailer' : 'chunk'
    })
  }

  #readLine(take: (line: string) => void): boolean {
    const end = this.#unread.indexOf('\r\n')
    if (end > maxSizeLineBytes || (end === -1 && this.#unread.length > maxSizeLineBytes))
      throw new HttpFault('sent a chunked body with a line that is too long')
    if (end === -1) return false
    // Trailers and sizes count, or a server could send them without an end.
    this.#bodyBytes += end + 2
    if (this.#bodyBytes > this.#limits.maxBodyBytes)
      throw new HttpFault(`sent a body of more than ${this.#limits.maxBodyBytes} bytes`)
    const line = this.#unread.toString('latin1', 0, end)
    this.#unread = this.#unread.subarray(end + 2)
    take(line)
    return true
  }
}

function readHeader(line: string): [string, string] {
  const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/s.exec(line) ?? []
  if (name === undefined) throw new HttpFault(`sent an invalid header: ${JSON.stringify(line.slice(0, 80))}`)
  return [name.toLowerCase(), value.trimEnd()]
}

/** Why there is no HTTP response. The message is a part of a sentence, about the server. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
}
