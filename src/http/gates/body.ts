import { bodyLimit } from '../../contract/body-limit.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange, Route } from '../exchange.ts'
import { readsBody, sendContinue } from './expectation.ts'

/** Reads the body, unless the handler does. */
export function readBody(exchange: Exchange): Promise<void> | undefined {
  sendContinue(exchange)
  const { headers, route } = exchange
  if (!readsBody(exchange) || (route as Route).streamsBody === true) return undefined
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (length === undefined && coding === undefined) return undefined
  // The client may go on sending.
  if (Number(length) > bodyLimit) return Promise.reject(refused(exchange, tooLarge()))
  return new Promise((resolve, reject) => {
    const { request } = exchange
    const chunks: Buffer[] = []
    let bytes = 0
    function end(error?: PetStoreError): void {
      request.off('data', take).off('end', done).off('error', broken)
      if (error === undefined) resolve()
      else reject(refused(exchange, error))
    }
    function take(chunk: Buffer): void {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bodyLimit) end(tooLarge())
    }
    function done(): void {
      exchange.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
      end()
    }
    function broken(): void {
      end(new PetStoreError('invalid_request', 'The connection ended before the request did.'))
    }
    request.on('data', take).on('end', done).on('error', broken)
  })
}

function refused(exchange: Exchange, error: PetStoreError): PetStoreError {
  exchange.mustClose = true
  return error
}

function tooLarge(): PetStoreError {
  return new PetStoreError('payload_too_large', 'The body must not be larger than 64 KiB.')
}
