import type { IncomingMessage } from 'node:http'
import { bodyLimit } from '../../contract/body-limit.ts'
import { maxSmallResponse } from '../../inventory/byte-budget.ts'
import { PetStoreError, unavailable } from '../../inventory/errors.ts'
import type { Exchange } from '../exchange.ts'
import { readsBody, sendContinue } from './expectation.ts'

/** Reads the body, unless the handler does. */
export function readBody(exchange: Exchange): Promise<void> | undefined {
  sendContinue(exchange)
  const { headers, incoming } = exchange.request
  if (incoming === undefined || !readsBody(exchange.request)) return undefined
  if (exchange.findings.route?.streamsBody === true) return undefined
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (length === undefined && coding === undefined) return undefined
  // The client may go on sending.
  if (Number(length) > bodyLimit) return Promise.reject(refused(exchange, tooLarge()))
  return readWhole(exchange, incoming)
}

function readWhole(exchange: Exchange, incoming: IncomingMessage): Promise<void> {
  const length = exchange.request.headers['content-length']
  return new Promise((resolve, reject) => {
    const body = growingBuffer()
    function end(error?: PetStoreError): void {
      incoming.off('data', take).off('end', done).off('error', broken)
      // What has arrived is used soon.
      if (exchange.response.reservedBytes > 0) exchange.reservation.tryResize(0)
      if (error === undefined) resolve()
      else reject(refused(exchange, error))
    }
    function take(chunk: Buffer): void {
      body.add(chunk)
      if (body.bytes() > bodyLimit) end(tooLarge())
      // One that has arrived needs no more memory.
      else if (body.bytes() > maxSmallResponse && !incoming.complete && exchange.response.reservedBytes === 0) reserve()
    }
    /** Small bodies are free. The rest of a larger one is read when there is room, and cut if it keeps others waiting. */
    function reserve(): void {
      const { reservation } = exchange
      const cut = () => end(unavailable('The body arrives too slowly while others wait for memory; try again.'))
      incoming.pause()
      reservation.resize(Number(length ?? bodyLimit)).then(() => {
        reservation.startSending(cut)
        incoming.resume()
      }, end)
    }
    function done(): void {
      exchange.findings.body = body.whole()
      end()
    }
    function broken(): void {
      end(new PetStoreError('invalid_request', 'The connection ended before the request did.'))
    }
    incoming.on('data', take).on('end', done).on('error', broken)
    // Its connection may have ended while it waited for its turn: then none of these comes.
    if (incoming.destroyed) broken()
  })
}

function refused(exchange: Exchange, error: PetStoreError): PetStoreError {
  exchange.response.closeConnection()
  return error
}

function tooLarge(): PetStoreError {
  return new PetStoreError('payload_too_large', 'The body must not be larger than 64 KiB.')
}

/** One buffer for all chunks: each of thousands of small ones would take far more memory than its bytes. */
function growingBuffer() {
  let buffer: Buffer = Buffer.alloc(0)
  let bytes = 0
  return {
    bytes: () => bytes,
    whole: () => buffer.subarray(0, bytes),
    add(chunk: Buffer): void {
      const before = bytes
      bytes += chunk.length
      // Most bodies arrive as one.
      if (before === 0) buffer = chunk
      else {
        if (buffer.length < bytes) buffer = Buffer.concat([buffer.subarray(0, before)], 2 * bytes)
        chunk.copy(buffer, before)
      }
    },
  }
}
