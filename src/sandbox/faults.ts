import type { ServerResponse } from 'node:http'
import type { Exchange, Gate, Reply } from '../http/exchange.ts'
import { challenge } from '../http/replies/challenge.ts'
import { errorReply } from '../http/replies/errors.ts'
import { confirmPreference } from '../http/replies/preference-applied.ts'
import { send } from '../http/replies/send.ts'
import type { Deliver } from '../http/request-path.ts'
import type { ReceivedRequest } from '../http/request/received-request.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { Journal } from './journal.ts'
import { beforeResetMs, sendHalf, sendInDrips } from './partial-replies.ts'
import { codeOf, type Fault, type FaultRules, maxSeconds, preferredFault } from './fault-rules.ts'

/** Lets requests go wrong: `gate` comes before the handler, `deliver` after it. */
export function faultsOf(
  rules: Pick<FaultRules, 'next'>,
  journal: Pick<Journal, 'answered' | 'disturbed'>,
): { gate: Gate; deliver: Deliver } {
  const later = new WeakMap<Exchange, Fault>()

  function faultFor(exchange: Exchange): Fault | undefined {
    const { operation } = exchange.findings.route ?? {}
    if (operation === undefined || operation.path.startsWith('/sandbox/')) return undefined
    const { prefer } = exchange.request.headers
    const preferred = prefer === undefined ? undefined : preferredFault(prefer)
    if (preferred === undefined) return rules.next(operation.id)
    confirmPreference(exchange.response, `fault=${preferred.name}`)
    return preferred
  }

  return {
    gate(exchange) {
      const fault = faultFor(exchange)
      if (fault === undefined) return undefined
      journal.disturbed(exchange, fault.name)
      const early = applyEarly(fault, exchange)
      if (early === undefined) later.set(exchange, fault)
      return early
    },
    deliver(exchange, reply) {
      const fault = later.get(exchange)
      journal.answered(exchange, reply.status)
      if (fault === undefined || exchange.response.outgoing.destroyed) send(exchange, reply)
      else deliverWith(fault, exchange, reply)
    },
  }
}

/** What goes wrong before anything is done; undefined if the request is carried out. */
function applyEarly(fault: Fault, exchange: Exchange): Reply | undefined | Promise<Reply | undefined> {
  const { name, seconds = 1 } = fault
  const code = codeOf(fault)
  if (code !== undefined || name === '502' || name === '504') exchange.leaveBody()
  if (code !== undefined) {
    if (code === 'unauthorized') challenge(exchange)
    if (code === 'method_not_allowed') exchange.response.headers['allow'] = exchange.findings.allow ?? ''
    const mayRetry = code === 'unavailable' || code === 'rate_limited'
    const retryAfterSeconds = Math.max(Math.ceil(seconds), 1)
    // Not thrown: whoever runs the sandbox need not know.
    return errorReply(
      new PetStoreError(code, 'This fault was asked for.', { fields: [], ...(mayRetry && { retryAfterSeconds }) }),
    )
  }
  switch (name) {
    case '502':
    case '504':
      return proxyPage(name)
    case 'delay':
      exchange.response.allowSlowBody()
      return pause(exchange.response.outgoing, seconds * 1000)
    case 'close':
      exchange.response.outgoing.socket?.destroy()
      return new Promise(() => undefined)
    case 'never':
      exchange.response.allowSlowBody()
      cutAfter(exchange.response.outgoing, maxSeconds * 1000)
      endWithClient(exchange.request)
      return new Promise(() => undefined)
    default:
      return undefined
  }
}

/** Cuts the connection when its client ends its side. */
function endWithClient({ incoming }: ReceivedRequest): void {
  incoming?.socket.once('end', () => incoming.socket.destroy())
}

function proxyPage(status: '502' | '504'): Reply {
  const title = status === '502' ? '502 Bad Gateway' : '504 Gateway Time-out'
  return {
    status: Number(status),
    headers: { 'content-type': 'text/html' },
    body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`,
  }
}

/** Goes on at once if the client leaves, or ends its side: nobody can leave work behind. */
function pause(response: ServerResponse, ms: number): Promise<undefined> {
  const { socket } = response
  return new Promise((resolve) => {
    const resume = () => {
      clearTimeout(timer)
      socket?.off('end', resume)
      resolve(undefined)
    }
    const timer = setTimeout(resume, response.destroyed ? 0 : ms).unref()
    response.once('close', resume)
    socket?.once('end', resume)
  })
}

function cutAfter(response: ServerResponse, ms: number): void {
  const timer = setTimeout(() => response.socket?.destroy(), ms).unref()
  response.once('close', () => clearTimeout(timer))
}

/** What goes wrong after the request was carried out. */
function deliverWith({ name, seconds }: Fault, exchange: Exchange, reply: Reply): void {
  const { outgoing } = exchange.response
  switch (name) {
    case 'delay-response': {
      const timer = setTimeout(() => send(exchange, reply), (seconds ?? 1) * 1000).unref()
      outgoing.once('close', () => clearTimeout(timer))
      return
    }
    case 'committed-then-cut':
      outgoing.socket?.destroy()
      return
    case 'not-json':
      return send(exchange, reply.body === undefined ? reply : { ...reply, body: 'This is not JSON.' })
    case 'reset':
      if (typeof reply.body === 'function' || reply.body === undefined) break
      return sendHalf(exchange, reply)
    case 'drip':
      if (reply.isStream || reply.body === undefined) break
      return sendInDrips(exchange, reply, seconds ?? 2)
    default:
      break
  }
  if (reply.isStream) disturbStream(name, outgoing, seconds)
  else if (name === 'reset') resetAfterWrite(outgoing)
  send(exchange, reply)
}

type Write = (bytes: Buffer | string, written?: () => void) => boolean

/** Sends the first part of a file, and then nothing more. */
function resetAfterWrite(response: ServerResponse): void {
  const write = response.write.bind(response) as Write
  const changed: Write = (bytes, written) => {
    const result = write(bytes, written)
    response.write = () => false
    response.end = () => response
    setTimeout(() => response.socket?.resetAndDestroy(), beforeResetMs).unref()
    return result
  }
  response.write = changed as typeof response.write
}

/** Changes what an event stream sends, from its first event on. */
function disturbStream(name: string, response: ServerResponse, seconds: number | undefined): void {
  const write = response.write.bind(response) as Write
  let isStalled = false
  const changed: Write = (bytes, written) => {
    if (isStalled) {
      if (written !== undefined) setImmediate(written)
      return true
    }
    if (!bytes.includes('data: ')) return write(bytes, written)
    if (name === 'repeat-event') write(bytes)
    const result = write(bytes, written)
    if (name === 'end-stream' && seconds === undefined) response.end()
    if (name === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), beforeResetMs).unref()
    if (name === 'stall-stream') {
      isStalled = true
      // The stream would notice that it is silent.
      response.setTimeout(0)
      cutAfter(response, maxSeconds * 1000)
    }
    return result
  }
  response.write = changed as typeof response.write
  if (name !== 'end-stream' || seconds === undefined) return
  const timer = setTimeout(() => response.end(), seconds * 1000).unref()
  response.once('close', () => clearTimeout(timer))
}
