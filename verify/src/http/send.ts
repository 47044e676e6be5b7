import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { HttpFault, type HttpResponse, ResponseReader, type SizeLimits } from './response-reader.ts'

export interface HttpRequest {
  method: string
  url: URL
  headers: readonly (readonly [name: string, value: string])[]
  body?: string
  /** Where the body is cut, in bytes: its parts, and two of the head, are sent one after another, with pauses. */
  bodyCuts?: readonly number[]
  /** How the lines of its headers are written. Default: as their names are usually written, with one space. */
  headerForm?: HeaderForm
  /** Names of usual headers that are not sent. */
  without?: readonly string[]
  /** Takes what came so far for the whole response if this returns true: a stream has no end. */
  until?: (response: HttpResponse) => boolean
}

/**
 * `tight` has no space before the value of a header, `wide` has several, `reversed` begins with the last header, `many`
 * with forty that no server knows.
 */
export type HeaderForm = 'lower' | 'upper' | 'tight' | 'wide' | 'reversed' | 'many'

export interface HttpLimits extends SizeLimits {
  /** For the whole exchange, from the connection to the last byte. */
  timeoutMs: number
}

/** Between the parts of a request. */
const partGapMs = 20
/** In bytes: within the first lines, and from the end: within the empty line. */
const headCuts = [40, -3] as const
/** Between two looks at a stream. */
const minCheckGapMs = 10

/**
 * Sends a request on a connection of its own. Follows no redirect. Rejects with an HttpFault if there is no HTTP
 * response within the limits, for whatever reason.
 */
export function send(request: HttpRequest, limits: HttpLimits): Promise<HttpResponse> {
  let [resolve, reject]: [(response: HttpResponse) => void, (fault: HttpFault) => void] = [() => {}, () => {}]
  const promise = new Promise<HttpResponse>((...settle) => ([resolve, reject] = settle))
  const reader = new ResponseReader(limits, request.method === 'HEAD')
  let receivedBytes = 0
  let isEnded = false
  let nextCheckAt = 0
  let checkTimer: NodeJS.Timeout | undefined
  const socket = connect(request.url)
  const timer = setTimeout(() => {
    fail(
      receivedBytes === 0
        ? `sent nothing within ${limits.timeoutMs} ms`
        : `did not complete the response within ${limits.timeoutMs} ms, after ${receivedBytes} bytes`,
    )
  }, limits.timeoutMs)

  function fail(reason: string): void {
    if (isEnded) return
    end()
    reject(new HttpFault(reason))
  }
  function end(): void {
    clearTimeout(timer)
    clearTimeout(checkTimer)
    isEnded = true
    socket.destroy()
  }
  /** Looks seldom: each look reads all that came, and a server may send it byte by byte. */
  function takePart(): HttpResponse | undefined {
    if (request.until === undefined || checkTimer !== undefined) return undefined
    const wait = nextCheckAt - performance.now()
    if (wait > 0) {
      checkTimer = setTimeout(() => {
        checkTimer = undefined
        attempt(takePart)
      }, wait)
      return undefined
    }
    const part = reader.soFar()
    const startedAt = performance.now()
    const isEnough = part !== undefined && request.until(part)
    // A tenth of the time at most.
    nextCheckAt = performance.now() + Math.max(minCheckGapMs, 9 * (performance.now() - startedAt))
    return isEnough ? part : undefined
  }
  function attempt(read: () => HttpResponse | undefined): void {
    try {
      const response = read()
      if (response === undefined) return
      end()
      resolve(response)
    } catch (error) {
      fail(error instanceof HttpFault ? error.message : String(error))
    }
  }

  socket.on('data', (bytes: Buffer) => {
    receivedBytes += bytes.length
    attempt(() => reader.push(bytes) ?? takePart())
  })
  socket.on('end', () => attempt(() => reader.end()))
  socket.on('error', (error: NodeJS.ErrnoException) => fail(reasonOf(error, receivedBytes)))
  socket.on('close', () => fail('closed the connection'))
  if (request.bodyCuts === undefined) socket.write(encode(request))
  else void writeInParts(socket, partsOf(request))
  return promise
}

async function writeInParts(socket: Socket, [head, ...parts]: readonly [Buffer, ...Buffer[]]): Promise<void> {
  socket.setNoDelay(true)
  const [first, last] = headCuts
  for (const part of [head.subarray(0, first), head.subarray(first, last), head.subarray(last), ...parts]) {
    if (socket.destroyed) return
    socket.write(part)
    await wait(partGapMs)
  }
}

export function connect({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:') return connectTcp({ host, port: Number(port || 80) })
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return connectTls({ host, port: Number(port || 443), ALPNProtocols: ['http/1.1'], ...servername })
}

/** Sent unless a request has another. Without Accept-Encoding, a server may choose any coding. */
const usualHeaders = { 'User-Agent': 'petstore-verify', Accept: 'application/json', 'Accept-Encoding': 'identity' }

type Header = readonly [name: string, value: string]

const unknownHeaders = Array.from({ length: 40 }, (_, index): Header => [`X-Unknown-${index}`, String(index)])

export function encode(request: HttpRequest): Buffer {
  return Buffer.concat(partsOf(request))
}

/** The head, and the parts of the body. Each character of a header is a byte. */
function partsOf(request: HttpRequest): [Buffer, ...Buffer[]] {
  const { method, url, headers, body, bodyCuts, headerForm, without } = request
  const given = new Set([...headers.map(([name]) => name), ...(without ?? [])])
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const isChunked = given.has('Transfer-Encoding')
  const length: Header[] = bytes === undefined || isChunked ? [] : [['Content-Length', String(bytes.length)]]
  const connection: Header[] = given.has('Connection') ? [] : [['Connection', 'close']]
  const usual = Object.entries(usualHeaders).filter(([name]) => !given.has(name))
  const all: Header[] = [['Host', url.host], ...connection, ...usual, ...headers, ...length]
  if (headerForm === 'reversed') all.reverse()
  if (headerForm === 'many') all.unshift(...unknownHeaders)
  const headerLines = all.map(([name, value]) => lineOf(name, value, headerForm))
  const lines = [`${method} ${targetOf(url)} HTTP/1.1`, ...headerLines]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (bytes === undefined) return [head]
  const parts = cut(bytes, bodyCuts ?? (isChunked ? [bytes.length >> 1] : []))
  return [head, ...(isChunked ? chunksOf(parts) : parts)]
}

/** With the question mark of an empty query, which `search` leaves out. */
function targetOf({ href, origin, hash }: URL): string {
  return href.slice(origin.length, href.length - hash.length)
}

function lineOf(name: string, value: string, form?: HeaderForm): string {
  if (form === 'lower') return `${name.toLowerCase()}: ${value}`
  if (form === 'upper') return `${name.toUpperCase()}: ${value}`
  if (form === 'tight') return `${name}:${value}`
  return form === 'wide' ? `${name}:   ${value}` : `${name}: ${value}`
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts, bytes.length]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0)
}

/** Each part is a chunk. */
function chunksOf(parts: readonly Buffer[]): Buffer[] {
  const end = Buffer.from('\r\n')
  const chunks = parts.map((part) => Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, end]))
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

export function reasonOf({ code, message }: NodeJS.ErrnoException, receivedBytes: number): string {
  if (code === 'ECONNREFUSED') return 'refused the connection'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `has a name that cannot be resolved (${code})`
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return `reset the connection after ${receivedBytes} bytes of the response`
  return `cannot be reached: ${message}${code === undefined || message.includes(code) ? '' : ` (${code})`}`
}
