import { maxAddressLength } from '../../contract/body-limit.ts'
import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { addressTooLong } from '../request/target.ts'
import { isHost } from '../request/host.ts'
import { isExpectationMet } from './expectation.ts'

/** The first gate: refuses what Node accepts but HTTP forbids, and what this service does not support. */
export function refuseInvalidMessage({ request }: Exchange): void {
  const { method, url, headers, target } = request
  if (hasMalformedLine(request)) {
    const rule = 'a method, an address without a fragment and HTTP/1.1 or HTTP/1.0, with one space between them'
    throw invalid(`The request line must be ${rule}.`)
  }
  const { host, repeated, expect } = headers
  if (repeated?.has('host') === true || (host === undefined && request.httpVersion === '1.1')) {
    throw invalid('The request must have exactly one Host header.')
  }
  if (!isHostOrEmpty(host) || !isHostOrEmpty(target.authority)) {
    throw invalid('Host must be a host name or an address, with or without a port.')
  }
  if (url === '*' && method !== 'OPTIONS') throw invalid('The address * is for OPTIONS only.')
  if (url.length > maxAddressLength) throw addressTooLong()
  if (request.hasUnknownCoding) throw invalid('The only supported Transfer-Encoding is chunked.')
  if (expect !== undefined && !isExpectationMet(expect)) {
    throw new PetStoreError('expectation_failed', 'The only supported expectation is 100-continue.')
  }
}

/** Whether the first line is malformed (RFC 9112, 3): a method, an address without a fragment, HTTP/1. */
function hasMalformedLine({ hasMalformedLine: isMarked, httpVersion, url }: ReceivedRequest): boolean {
  // Node's parser takes a line without a version for HTTP/0.9, and knows HTTP/2.0.
  return isMarked || !httpVersion.startsWith('1.') || url.includes('#')
}

function isHostOrEmpty(text: string | undefined): boolean {
  return text === undefined || text === '' || isHost(text)
}

function invalid(message: string): PetStoreError {
  return new PetStoreError('invalid_request', message)
}
