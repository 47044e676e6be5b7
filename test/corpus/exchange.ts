import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A request of the corpus: exactly these bytes. */
export interface RawRequest {
  name: string
  bytes: string
  /** Later responses depend on it. */
  isChange?: true
  /** What the client does after the bytes. Default: it waits for the response, then uses the connection again. */
  ending?: 'stream' | 'half-close' | 'leave' | 'unsent body'
}

export interface RawResponse {
  statusLine: string
  /** Names in lower case, with their values, sorted: nobody may rely on the order of different headers. */
  headers: [name: string, value: string][]
  body: Buffer
}

/** What came back, and what became of the connection. */
export interface Exchanged {
  responses: RawResponse[]
  connection: 'open' | 'closed' | 'broken' | 'left by the client'
}

export interface Target {
  port: number
  /** The certificate of the server, for TLS. */
  ca?: string | undefined
  /** Whether the next request is sent at once, before the response. */
  isPipelined?: boolean
}

/** Proves that a connection can still be used, and that nothing of the request before was left on it. */
const probe = 'GET /livez HTTP/1.1\r\nHost: petstore\r\nX-Request-Id: probe\r\nConnection: close\r\n\r\n'
const probeId = 'probe'
/** Far above any response; only a service that hangs needs it. */
const timeoutMs = 20_000
const maxEventsRead = 2

/** Sends one request on a connection of its own. */
export async function exchange({ port, ca, isPipelined = false }: Target, request: RawRequest): Promise<Exchanged> {
  const { name, bytes, ending } = request
  const connection = open(port, ca)
  const { socket, received } = connection
  const parsed = () => parseResponses(received(), bytes.startsWith('HEAD '), connection.isEnded())
  const timer = setTimeout(() => connection.fail(new Error(`${name}: no end of ${received().toString()}`)), timeoutMs)
  try {
    socket.write(isPipelined && ending === undefined ? bytes + probe : bytes)
    if (ending === 'leave') {
      await new Promise((resolve) => socket.write('', resolve))
      return { responses: [], connection: 'left by the client' }
    }
    if (ending === 'stream') {
      await connection.wait(() => parsed().length > 0 || received().toString().split('\ndata: ').length > maxEventsRead)
      const responses = parseResponses(received(), false, true).map(withFirstEvents)
      return { responses, connection: 'left by the client' }
    }
    if (ending === 'half-close') socket.end()
    else {
      await connection.wait(() => parsed().some(({ statusLine }) => !statusLine.startsWith('HTTP/1.1 1')))
      // The service would take a probe for the body.
      if (ending === 'unsent body' && !parsed().some(isLast)) return { responses: parsed(), connection: 'open' }
      if (!isPipelined) socket.write(probe)
    }
    // The probe asks the service to close.
    await connection.wait(() => false)
    const responses = parsed()
    const own = responses.filter((response) => !isOfProbe(response))
    return {
      responses: own,
      connection: own.length < responses.length ? 'open' : own.some(isLast) ? 'closed' : 'broken',
    }
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** Whether the service says that it closes the connection. */
function isLast({ headers }: RawResponse): boolean {
  return headers.some(([name, value]) => name === 'connection' && value === 'close')
}

function isOfProbe({ headers }: Pick<RawResponse, 'headers'>): boolean {
  return headers.some(([name, value]) => name === 'x-request-id' && value === probeId)
}

function open(port: number, ca: string | undefined) {
  const address = { port, host: '127.0.0.1', allowHalfOpen: true }
  const socket: Socket = ca === undefined ? connectTcp(address) : connectTls({ ...address, ca })
  const chunks: Buffer[] = []
  let isEnded = false
  let failure: Error | undefined
  let wake: () => void = () => undefined
  const end = () => {
    isEnded = true
    wake()
  }
  socket.on('error', () => undefined)
  socket.on('end', end)
  socket.on('close', end)
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    wake()
  })
  return {
    socket,
    received: () => Buffer.concat(chunks),
    isEnded: () => isEnded,
    fail(error: Error) {
      failure = error
      wake()
    },
    /** Resolves when it is so, or when the service has closed its side. */
    async wait(isSo: () => boolean): Promise<void> {
      if (failure !== undefined) throw failure
      if (isEnded || isSo()) return
      await new Promise<void>((resolve) => (wake = resolve))
      return this.wait(isSo)
    },
  }
}

/** Only complete responses, unless the connection has ended. `isHead` is for all but the probe. */
export function parseResponses(received: Buffer, isHead: boolean, isEnded: boolean): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = received
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) break
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
    })
    headers.sort(([a, left], [b, right]) => (a === b ? (left < right ? -1 : 1) : a < b ? -1 : 1))
    const status = Number(statusLine.split(' ')[1])
    // The probe is never a HEAD.
    const hasNoBody = (isHead && !isOfProbe({ headers })) || status < 200 || status === 204
    const body = rest.subarray(end + 4)
    const read =
      hasNoBody || status === 304 ? { body: body.subarray(0, 0), length: 0 } : readBody(headers, body, isEnded)
    if (read === undefined) break
    responses.push({ statusLine, headers, body: read.body })
    rest = body.subarray(read.length)
  }
  return responses
}

function readBody(headers: RawResponse['headers'], bytes: Buffer, isEnded: boolean) {
  const valueOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1]
  if (valueOf('transfer-encoding') === 'chunked') return readChunks(bytes, isEnded)
  const length = Number(valueOf('content-length') ?? Number.NaN)
  if (bytes.length >= length) return { body: bytes.subarray(0, length), length }
  return isEnded ? { body: bytes, length: bytes.length } : undefined
}

function readChunks(bytes: Buffer, isEnded: boolean): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = []
  for (let start = 0; ; ) {
    const line = bytes.indexOf('\r\n', start)
    const size = line === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', start, line), 16)
    const end = line + 2 + size
    if (Number.isNaN(size) || bytes.length < end + 2) {
      return isEnded ? { body: Buffer.concat([...chunks, Buffer.from('(cut)')]), length: bytes.length } : undefined
    }
    if (size === 0) return { body: Buffer.concat(chunks), length: end + 2 }
    chunks.push(bytes.subarray(line + 2, end))
    start = end + 2
  }
}

/** A stream only with its first events: how many more have arrived is chance. */
function withFirstEvents(response: RawResponse): RawResponse {
  const frames = response.body.toString().split('\n\n')
  const last = frames.findIndex(
    (_, index) =>
      frames
        .slice(0, index + 1)
        .join()
        .split('data: ').length > maxEventsRead,
  )
  return last === -1 ? response : { ...response, body: Buffer.from(`${frames.slice(0, last + 1).join('\n\n')}\n\n`) }
}
