import { PetStoreError } from '../../inventory/errors.ts'
import type { HeaderName, WithHeaders } from './request-headers.ts'

/**
 * The error for a repeated header; undefined if it was sent at most once. Node keeps the first of two `Content-Type`
 * headers and joins most others with a comma; a proxy in front might have used another one.
 */
export function refusalOfRepeated({ headers }: WithHeaders, name: string): PetStoreError | undefined {
  if (headers.repeated?.has(name.toLowerCase() as HeaderName) !== true) return undefined
  return new PetStoreError('invalid_request', `${name} must be sent once: the request has several such headers.`)
}
