import type { FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import { addressTooLong, maxAddressLength } from '../request/address.ts'
import { isExpectationMet } from './expectation.ts'
import { isHost } from '../request/host.ts'
import { hasMalformedLine } from '../request/request-line.ts'
import { valuesOf } from '../request/raw-headers.ts'

/** The first gate: refuses what Node accepts but HTTP forbids, and what this service does not support. */
export function refuseInvalidMessage(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const { raw } = request
  if (hasMalformedLine(raw)) {
    const rule = 'a method, an address without a fragment and HTTP/1.1 or HTTP/1.0, with one space between them'
    return done(new PetStoreError('invalid_request', `The request line must be ${rule}.`))
  }
  const { host } = raw.headers
  const hosts = valuesOf(raw.rawHeaders, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && raw.httpVersion === '1.1')) {
    return done(new PetStoreError('invalid_request', 'The request must have exactly one Host header.'))
  }
  // Differs from the header if the address has an authority.
  if ([host, ...hosts].some((text) => text !== undefined && text !== '' && !isHost(text))) {
    return done(new PetStoreError('invalid_request', 'Host must be a host name or an address, with or without a port.'))
  }
  if (raw.url === '*' && raw.method !== 'OPTIONS') {
    return done(new PetStoreError('invalid_request', 'The address * is for OPTIONS only.'))
  }
  if ((raw.url as string).length > maxAddressLength) return done(addressTooLong())
  if (raw.headers.expect !== undefined && !isExpectationMet(raw)) {
    return done(new PetStoreError('expectation_failed', 'The only supported expectation is 100-continue.'))
  }
  done()
}
