import { EventEmitter, once } from 'node:events'
import { createServer, request as ask, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/**
 * What becomes of a request:
 * - `pass`: nothing special.
 * - `reset`: the connection is reset, and the service never hears of it.
 * - `swallow`: the service carries it out, and the connection is reset in the place of an answer.
 * - `halve`: the service carries it out, and the connection is closed after half of the answer's body.
 * - `stall`: the service carries it out, and only half of the answer's body comes.
 * - `hang`: the service never hears of it, and no answer comes.
 * - an answer: it comes from something between, and the service never hears of it.
 */
export type Fault = 'pass' | 'reset' | 'swallow' | 'halve' | 'stall' | 'hang' | MadeUpAnswer

export interface MadeUpAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface FaultyProxy {
  /** Such as http://127.0.0.1:34567. */
  origin: string
  /** Every request that came, in turn. */
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[]
  /** What becomes of the requests to come, in turn; those after them pass. */
  next(...faults: Fault[]): void
  /** Breaks every connection. */
  cut(): void
  /** Resolves once so many answers have begun, since the start. */
  untilAnswered(count: number): Promise<void>
  /** Resolves once so many requests have come, since the start. */
  untilAsked(count: number): Promise<void>
  /** Resolves once no request waits for the end of its answer. */
  untilClosed(): Promise<void>
  /** How many requests wait for the end of their answers. */
  readonly open: number
}

/** Between a client and the service at `target`; gone when the test ends. */
export async function faultyProxy(t: TestContext, target: string): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const requests: FaultyProxy['requests'] = []
  const open = new Set<ServerResponse>()
  const answers: number[] = []
  const progress = new EventEmitter()

  const server = createServer((request, response) => {
    const { method = '', url = '', headers, socket } = request
    const fault = faults.shift() ?? 'pass'
    requests.push({ method, url, headers })
    open.add(response)
    response.once('close', () => {
      open.delete(response)
      progress.emit('step')
    })
    progress.emit('step')
    if (fault === 'hang') return
    if (fault === 'reset') return void socket.resetAndDestroy()
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body)

    const onward = ask(target + url, { method, headers, agent: false }, (answer) => {
      answer.on('error', () => response.destroy())
      response.once('close', () => answer.destroy())
      if (fault === 'pass') {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders).flushHeaders()
        answer.pipe(response)
        answers.push(answer.statusCode ?? 0)
        progress.emit('step')
        return
      }
      void answer.toArray().then((chunks: Buffer[]) => {
        if (fault === 'swallow') return socket.resetAndDestroy()
        const body = Buffer.concat(chunks)
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
        response.write(body.subarray(0, body.length / 2), () => fault === 'halve' && socket.destroy())
      })
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })

  async function until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await once(progress, 'step')
  }

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...more) => void faults.push(...more),
    cut: () => server.closeAllConnections(),
    untilAnswered: (count) => until(() => answers.length >= count),
    untilAsked: (count) => until(() => requests.length >= count),
    untilClosed: () => until(() => open.size === 0),
    get open() {
      return open.size
    },
  }
}
