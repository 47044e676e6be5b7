import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../contract/error.ts'
import type { Exchange, Gate, Reply } from '../http/exchange.ts'
import { challenge } from '../http/replies/challenge.ts'
import { errorReply } from '../http/replies/errors.ts'
import { confirmPreference } from '../http/replies/preference-applied.ts'
import { send } from '../http/replies/send.ts'
import type { Deliver } from '../http/request-path.ts'
import type { ReceivedRequest } from '../http/request/received-request.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { Journal } from './journal.ts'
import { sendHalf, sendInDrips } from './partial-replies.ts'
import { cutAfter, disturbStream, resetAfterWrite } from './disturbed-writes.ts'
import { codeOf, type Fault, type FaultRules, maxSeconds, preferredFault } from './fault-rules.ts'

export interface Faults {
  /** Comes before the handler. */
  gate: Gate
  /** Comes after it. `pass` takes the reply; by default it is sent. */
  deliver(exchange: Exchange, reply: Reply, pass?: Deliver): void
  /** `tool` is the request of a tool call that `message` brought. */
  beginTool(tool: Exchange, message: Exchange): void
}

/** What happens to the response that has the result of a tool, not to the result. */
const ofMessages: ReadonlySet<string> = new Set(['502', '504', 'reset', 'drip', 'not-json'])

/** Lets requests go wrong. */
export function faultsOf(rules: Pick<FaultRules, 'next'>, journal: Pick<Journal, 'answered' | 'disturbed'>): Faults {
  const later = new WeakMap<Exchange, Fault>()
  const messages = new WeakMap<Exchange, Exchange>()

  function faultFor(exchange: Exchange): Fault | undefined {
    const { operation } = exchange.findings.route ?? {}
    if (operation === undefined || operation.path.startsWith('/sandbox/')) return undefined
    const { request, response } = messages.get(exchange) ?? exchange
    const { prefer } = request.headers
    const preferred = prefer === undefined ? undefined : preferredFault(prefer)
    if (preferred === undefined) return rules.next(operation.id)
    confirmPreference(response, `fault=${preferred.name}`)
    return preferred
  }

  return {
    beginTool: (tool, message) => void messages.set(tool, message),
    gate(exchange) {
      const fault = faultFor(exchange)
      if (fault === undefined) return undefined
      journal.disturbed(exchange, fault.name)
      const message = messages.get(exchange)
      if (message !== undefined && ofMessages.has(fault.name)) {
        later.set(message, fault)
        // The page of a proxy takes the place of this result.
        return isProxyPage(fault.name) ? errorReply(askedFor('unavailable')) : undefined
      }
      const early = applyEarly(fault, exchange, message?.request ?? exchange.request)
      if (early === undefined) later.set(exchange, fault)
      return early
    },
    deliver(exchange, reply, pass = send) {
      const fault = later.get(exchange)
      // The page that the message of a tool call gets is also what the tool was answered with.
      const { name = '' } = later.get(messages.get(exchange) ?? exchange) ?? {}
      journal.answered(exchange, isProxyPage(name) ? Number(name) : reply.status)
      if (fault === undefined || exchange.response.outgoing.destroyed) pass(exchange, reply)
      else deliverWith(fault, exchange, reply, pass)
    },
  }
}

/** What goes wrong before anything is done; undefined if the request is carried out. */
function applyEarly(
  fault: Fault,
  exchange: Exchange,
  received: ReceivedRequest,
): Reply | undefined | Promise<Reply | undefined> {
  const { name, seconds = 1 } = fault
  const code = codeOf(fault)
  if (code !== undefined || isProxyPage(name)) exchange.leaveBody()
  if (code !== undefined) {
    if (code === 'unauthorized') challenge(exchange)
    if (code === 'method_not_allowed') exchange.response.headers['allow'] = exchange.findings.allow ?? ''
    const mayRetry = code === 'unavailable' || code === 'rate_limited'
    // Not thrown: whoever runs the sandbox need not know.
    return errorReply(askedFor(code, mayRetry ? { retryAfterSeconds: Math.max(Math.ceil(seconds), 1) } : {}))
  }
  if (isProxyPage(name)) return proxyPage(name)
  switch (name) {
    case 'delay':
      exchange.response.allowSlowBody()
      return pause(exchange.response.outgoing, seconds * 1000)
    case 'close':
      exchange.response.outgoing.socket?.destroy()
      return new Promise(() => undefined)
    case 'never':
      exchange.response.allowSlowBody()
      cutAfter(exchange.response.outgoing, maxSeconds * 1000)
      endWithClient(received)
      return new Promise(() => undefined)
    default:
      return undefined
  }
}

/** Cuts the connection when its client ends its side. */
function endWithClient({ incoming }: ReceivedRequest): void {
  incoming?.socket.once('end', () => incoming.socket.destroy())
}

function askedFor(code: ErrorCode, more: { retryAfterSeconds?: number } = {}): PetStoreError {
  return new PetStoreError(code, 'This fault was asked for.', { fields: [], ...more })
}

function isProxyPage(name: string): name is '502' | '504' {
  return name === '502' || name === '504'
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

/** What goes wrong after the request was carried out. */
function deliverWith({ name, seconds }: Fault, exchange: Exchange, reply: Reply, pass: Deliver): void {
  const { outgoing } = exchange.response
  if (isProxyPage(name)) return pass(exchange, proxyPage(name))
  switch (name) {
    case 'delay-response': {
      const timer = setTimeout(() => pass(exchange, reply), (seconds ?? 1) * 1000).unref()
      outgoing.once('close', () => clearTimeout(timer))
      return
    }
    case 'committed-then-cut':
      outgoing.socket?.destroy()
      return
    case 'wrong-result':
      return pass(exchange, withWrongResult(reply))
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
  pass(exchange, reply)
}

/** JSON that no operation returns. A refusal stays as it is. */
function withWrongResult(reply: Reply): Reply {
  if (reply.status >= 300 || reply.body === undefined || typeof reply.body === 'function') return reply
  const { 'content-encoding': _coding, ...headers } = reply.headers
  return { ...reply, headers, body: '"This is a wrong result."' }
}
