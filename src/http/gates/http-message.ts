import type { FastifyRequest } from 'fastify'
import { PetStoreError } from '../../inventory/errors.ts'
import { maxAddressLength } from '../server/limits.ts'
import { addressTooLong } from '../server/parser-error.ts'
import { isExpectationMet } from './expectation.ts'
import { isRepeated } from './raw-headers.ts'

/** The first gate: refuses what Node lets through and HTTP forbids, or this service does not serve. */
export function refuseInvalidMessage(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const { raw } = request
  if (raw.headers.host === undefined ? raw.httpVersion === '1.1' : isRepeated(raw.rawHeaders, 'host')) {
    return done(new PetStoreError('invalid_request', 'The request must have exactly one Host header.'))
  }
  if ((raw.url as string).length > maxAddressLength) return done(addressTooLong())
  if (raw.headers.expect !== undefined && !isExpectationMet(raw)) {
    return done(new PetStoreError('expectation_failed', 'The only expectation this service meets is 100-continue.'))
  }
  done()
}
