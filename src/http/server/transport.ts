import type { FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import { isRepeated } from '../gates/raw-headers.ts'

/** How large a body may be, in bytes. */
export const bodyLimit = 64 * 1024

/** Bounds on what a connection may do, in milliseconds and bytes. The defaults would wait for minutes. */
export const serverLimits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
  // Node answers a missing Host by itself, without a body; the gate below does it in our words.
  requireHostHeader: false,
} as const

const uriBound = 4 * 1024

/** Refuses what Node lets through and HTTP does not: no Host, two of them, an endless address, an unknown Expect. */
export function refuseImproper(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const { raw } = request
  if (raw.headers.host === undefined ? raw.httpVersion === '1.1' : isRepeated(raw.rawHeaders, 'host')) {
    return done(new PetStoreError('invalid_request', 'The request must have exactly one Host header.'))
  }
  if ((raw.url as string).length > uriBound) {
    return done(new PetStoreError('uri_too_long', `The address must not be longer than ${uriBound} characters.`))
  }
  const { expect } = raw.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return done(new PetStoreError('expectation_failed', 'The only expectation this service meets is 100-continue.'))
  }
  done()
}

/** What Node's parser gave up on. Undefined when nobody is left to be told. */
export function parserError(error: ParserError): PetStoreError | undefined {
  switch (error.code) {
    case 'ECONNRESET':
      return undefined
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PetStoreError('request_timeout', 'The request took too long to arrive.')
    case 'HPE_HEADER_OVERFLOW':
      return isInAddress(error.rawPacket)
        ? new PetStoreError('uri_too_long', `The address must not be longer than ${uriBound} characters.`)
        : new PetStoreError('headers_too_large', 'The headers must not be larger than 8 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new PetStoreError('payload_too_large', 'The chunk extensions are too large.')
    default:
      return new PetStoreError('invalid_request', 'The request is not proper HTTP.')
  }
}

/** Fastify's type has the bytes as JSON would; they are a Buffer. */
export type ParserError = Error & { code?: string; rawPacket?: unknown }

// The parser counts the address as a header and does not say which of them was too long; all there is to see is the packet
// in which it happened. One that starts a request tells by its first line; of a later one, only an end of the first line
// gives the address away.
function isInAddress(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const text = packet.toString('latin1', 0, serverLimits.maxHeaderSize)
  return /^[A-Z]+ \S/.test(text) ? !text.includes('\r\n') : text.includes(' HTTP/1.')
}
