import type { Body, Exchange, Reply } from '../exchange.ts'
import { headerLine, headerPairs, isWithoutBody, writeHead } from './response-head.ts'
import { isInParts, lengthOf } from './whole-body.ts'

/** What is written for a reply beside the headers of its request. */
interface Encoded {
  /** Lines, each with its end. */
  readonly head: string
  readonly body: Body | undefined
  /** `latin1` for a text whose characters are the bytes: Node writes it together with the head, without encoding it. */
  readonly encoding: 'latin1' | 'utf8'
}

/** A reply that can be written many times, for the response cache. */
export type EncodedReply = Reply & Encoded & { readonly body: string }

/** More bytes are written by themselves, after the head. */
const maxTogether = 64 * 1024

export function isCached(reply: Reply): reply is EncodedReply {
  return 'head' in reply
}

/** Writes a reply. Nothing else does, apart from what the server refuses before it is parsed. */
export function send(exchange: Exchange, reply: Reply): void {
  const { outgoing } = exchange.response
  const { status } = reply
  exchange.response.isShared = reply.isShared === true
  const { head, body, encoding } = isCached(reply) ? reply : encode(reply)
  if (exchange.response.reservedBytes > 0) exchange.reservation.startSending(() => outgoing.socket?.destroy())
  if (typeof body === 'function' && outgoing.destroyed) return
  const lines = fullHead(exchange, reply, head)
  // The length is known, or the status has no body.
  if (typeof body !== 'function' && (body === undefined) === isWithoutBody(status)) {
    writeHead(outgoing, status, lines, exchange.response.closesConnection)
  } else {
    if (exchange.response.closesConnection) outgoing.shouldKeepAlive = false
    outgoing.writeHead(status, headerPairs(lines))
    if (typeof body === 'function') return body(outgoing)
  }
  if (body === undefined || exchange.request.method === 'HEAD') outgoing.end()
  else if (isInParts(body)) sendParts(exchange, body)
  else outgoing.end(body, encoding)
}

/** Sends a part when the system has taken the one before it. What it has taken is not in memory any more. */
function sendParts({ response: { outgoing }, reservation }: Exchange, body: readonly Buffer[]): void {
  const parts = [...body]
  let left = lengthOf(body)
  function sendNext(): void {
    const part = parts.shift()
    if (part === undefined) return void outgoing.end()
    outgoing.write(part, (error) => {
      if (error) return
      left -= part.length
      if (reservation.bytes > left) reservation.tryResize(left)
      sendNext()
    })
  }
  sendNext()
}

/** Encodes a reply once for all its readers. */
export function encodeReply(reply: Reply & { body: string | Buffer }): EncodedReply {
  // One flat string: V8 would join its parts again for each response.
  const head = Buffer.from(encode(reply).head, 'latin1').toString('latin1')
  const bytes = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  return { ...reply, head, body: bytes.toString('latin1'), encoding: 'latin1' }
}

/** All headers of a response, names and values alternating, for a reply that is written in another way. */
export function headOf(exchange: Exchange, reply: Reply): string[] {
  const closing = exchange.response.closesConnection ? ['connection', 'close'] : []
  return [...headerPairs(fullHead(exchange, reply, encode(reply).head)), ...closing]
}

function encode({ headers, body }: Reply): Encoded {
  let head = ''
  for (const name in headers) head += headerLine(name, headers[name] as string)
  if (body === undefined || typeof body === 'function') return { head, body, encoding: 'utf8' }
  const length = lengthOf(body)
  head += `content-length: ${length}\r\n`
  if (Buffer.isBuffer(body) && length <= maxTogether) return { head, body: body.toString('latin1'), encoding: 'latin1' }
  // A text of as many bytes as characters is ASCII.
  return { head, body, encoding: length === body.length ? 'latin1' : 'utf8' }
}

/** The headers of every response, those that the gates have set, and those of the reply, which replace them. */
function fullHead({ request, findings, response }: Exchange, { headers, vary }: Reply, own: string): string {
  let head = `x-request-id: ${request.id}\r\nx-content-type-options: nosniff\r\n`
  const stability = findings.route?.operation?.stability
  if (stability !== undefined) head += `stability: ${stability}\r\n`
  for (const name in response.headers)
    if (!(name in headers)) head += headerLine(name, response.headers[name] as string)
  if (vary !== undefined) head += `vary: ${response.vary === undefined ? vary : `${response.vary}, ${vary}`}\r\n`
  else if (response.vary !== undefined) head += `vary: ${response.vary}\r\n`
  return head + own
}
