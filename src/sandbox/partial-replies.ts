import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import type { Exchange, Outgoing, Reply } from '../http/exchange.ts'
import { headOf, send } from '../http/replies/send.ts'
import { wholeBody } from '../http/replies/whole-body.ts'

/** Long enough for a client to read what was sent before a reset, which may drop it. */
export const beforeResetMs = 50
const dripPieces = 10

/** Sends half of a body that is not a file or a stream, then resets the connection. */
export function sendHalf(exchange: Exchange, reply: Reply): void {
  const response = exchange.response.outgoing
  const bytes = begin(exchange, reply)
  if (bytes.length > 1) response.write(bytes.subarray(0, bytes.length / 2))
  else response.flushHeaders()
  setTimeout(() => response.socket?.resetAndDestroy(), beforeResetMs).unref()
}

/** Sends a body, or the first part of a file, in pieces. */
export function sendInDrips(exchange: Exchange, reply: Reply, seconds: number): void {
  const response = exchange.response.outgoing
  const { body } = reply
  if (typeof body !== 'function') drip(response, begin(exchange, reply), seconds, () => response.end())
  else send(exchange, { ...reply, body: () => body(slowFile(response, seconds)) })
}

/** The head and the bytes of a reply, which the caller sends in its own way. */
function begin(exchange: Exchange, reply: Reply): Buffer {
  const bytes = exchange.request.method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(wholeBody(reply.body) ?? '')
  exchange.response.outgoing.writeHead(reply.status, headOf(exchange, reply))
  return bytes
}

/** Ten pieces, or as many as there are bytes; one of nothing. */
export function piecesOf(bytes: Buffer): Buffer[] {
  const count = Math.min(Math.max(bytes.length, 1), dripPieces)
  const startOf = (piece: number) => Math.floor((piece * bytes.length) / count)
  return Array.from({ length: count }, (_, piece) => bytes.subarray(startOf(piece), startOf(piece + 1)))
}

function drip(response: ServerResponse, bytes: Buffer, seconds: number, done: () => void): void {
  const pieces = piecesOf(bytes)
  let sent = 0
  const dripping = setInterval(
    () => {
      response.write(pieces[sent++])
      if (sent < pieces.length) return
      clearInterval(dripping)
      done()
    },
    (seconds * 1000) / pieces.length,
  ).unref()
  response.once('close', () => clearInterval(dripping))
}

/** Takes the place of a response to which a file is written. What comes after the first part waits for it. */
function slowFile(response: ServerResponse, seconds: number): Outgoing {
  let isFirst = true
  const slow = new Writable({
    write(bytes: Buffer, _encoding, done) {
      if (isFirst) drip(response, bytes, seconds, done)
      else response.write(bytes, done)
      isFirst = false
    },
    final(done) {
      response.end()
      done()
    },
  })
  response.once('close', () => slow.destroy())
  return Object.assign(slow, { socket: response.socket })
}
