import { PetStoreError } from '../../inventory/errors.ts'
import { addressTooLong } from '../request/target.ts'
import { serverLimits } from './limits.ts'

/** An error of Node's parser. */
export type ParserError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number }

/** Maps a parser error to a response; undefined if the socket is gone. */
export function parserError(error: ParserError): PetStoreError | undefined {
  switch (error.code) {
    case 'ECONNRESET':
      return undefined
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PetStoreError('request_timeout', 'The request took too long to arrive.')
    case 'HPE_HEADER_OVERFLOW':
      return isInAddress(error.rawPacket)
        ? addressTooLong()
        : new PetStoreError('headers_too_large', 'The headers must not be larger than 8 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new PetStoreError('payload_too_large', 'The chunk extensions are too large.')
    default:
      return new PetStoreError('invalid_request', 'The request is not valid HTTP.')
  }
}

// The parser counts the address as a header and does not say which was too long; only the packet of the error is known.
// If the packet starts a request, its first line decides; in a later packet, only the end of the first line shows that
// it was the address.
function isInAddress(packet: Buffer | undefined): boolean {
  if (packet === undefined) return false
  const text = packet.toString('latin1', 0, serverLimits.maxHeaderSize)
  return /^[A-Z]+ \S/.test(text) ? !text.includes('\r\n') : text.includes(' HTTP/1.')
}
