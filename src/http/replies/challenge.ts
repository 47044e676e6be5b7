import { PetStoreError } from '../../inventory/errors.ts'
import type { Exchange } from '../exchange.ts'

/** The refusal of a request without a valid key: the same in every case. */
export function unauthorized(): PetStoreError {
  return new PetStoreError('unauthorized', 'Send a valid API key in the header "Authorization: Bearer <API_KEY>".')
}

/** The refusal of a request without the token of an open invitation: the same in every case. */
export function noInvitation(): PetStoreError {
  return new PetStoreError(
    'unauthorized',
    'Send the token of an open invitation in the header "Authorization: Bearer <TOKEN>". It works once.',
  )
}

export function isUnauthorized(error: unknown): error is PetStoreError {
  return error instanceof PetStoreError && error.code === 'unauthorized'
}

/** Adds `WWW-Authenticate` (RFC 6750, 3), with an error if the client sent a credential. */
export function challenge({ request: { headers }, response }: Exchange): void {
  const isSent = Boolean(headers.authorization) || headers.repeated?.has('authorization') === true
  response.headers['www-authenticate'] = `Bearer realm="petstore"${isSent ? ', error="invalid_token"' : ''}`
}
