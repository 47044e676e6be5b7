import { EventEmitter, once } from 'node:events'
import {
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * What happens to a request:
 * - `pass`: it is forwarded.
 * - `reset`: the connection is reset, and the service does not get the request.
 * - `swallow`: the service handles it, and the connection is reset before the response.
 * - `halve`: the service handles it, and the connection is closed after half of the response body.
 * - `stall`: the service handles it, and only half of the response body arrives.
 * - `late`: the connection is reset at once, and the service gets the request a second later.
 * - `slow`: the service gets the request a second later, and its response takes another second.
 * - `hang`: the service does not get the request, and there is no response.
 * - an answer: it comes from a gateway, and the service does not get the request.
 */
export type Fault = 'pass' | 'reset' | 'swallow' | 'halve' | 'stall' | 'late' | 'slow' | 'hang' | MadeUpAnswer

const lateMs = 1_000

export interface MadeUpAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface FaultyProxy {
  /** Such as http://127.0.0.1:34567. */
  origin: string
  /** All requests so far, in order. */
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[]
  /** The faults of the next requests, in order; later requests pass. */
  next(...faults: Fault[]): void
  /** Breaks every connection. */
  cut(): void
  /** Resolves when `count` responses have begun since the start. */
  untilAnswered(count: number): Promise<void>
  /** Resolves when `count` requests have arrived since the start. */
  untilAsked(count: number): Promise<void>
  /** Resolves when every response has ended. */
  untilClosed(): Promise<void>
  /** The number of requests whose response has not ended. */
  readonly open: number
}

/** A proxy in front of the service at `target`. Stopped when the test ends. */
export async function faultyProxy(t: TestContext, target: string): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const requests: FaultyProxy['requests'] = []
  const open = new Set<ServerResponse>()
  const answers: number[] = []
  const progress = new EventEmitter()

  const server = createServer(async (request, response) => {
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
    if (fault === 'late') return void forwardLate(request).catch(() => undefined)
    if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body)

    if (fault === 'slow') await wait(lateMs)
    if (socket.destroyed) return
    const onward = ask(target + url, { method, headers, agent: false }, async (answer) => {
      answer.on('error', () => response.destroy())
      response.once('close', () => answer.destroy())
      if (fault === 'slow') await wait(lateMs)
      if (fault === 'pass' || fault === 'slow') {
        response.writeHead(answer.statusCode ?? 0, answer.rawHeaders).flushHeaders()
        answer.pipe(response)
        answers.push(answer.statusCode ?? 0)
        progress.emit('step')
        return
      }
      void answer.toArray().then(
        (chunks: Buffer[]) => {
          if (fault === 'swallow') return socket.resetAndDestroy()
          const body = Buffer.concat(chunks)
          response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
          response.write(body.subarray(0, body.length / 2), () => fault === 'halve' && socket.destroy())
        },
        // The service ended in the middle of its answer.
        () => response.destroy(),
      )
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

  async function forwardLate(request: IncomingMessage): Promise<void> {
    const { method = '', url = '', headers, socket } = request
    const chunks = (await request.toArray()) as Buffer[]
    socket.resetAndDestroy()
    await wait(lateMs)
    ask(target + url, { method, headers, agent: false }, (answer) => void answer.on('error', () => undefined).resume())
      .on('error', () => undefined)
      .end(Buffer.concat(chunks))
  }

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
