import { maxAddressLength } from '../../contract/body-limit.ts'
import { PetStoreError } from '../../inventory/errors.ts'

export function addressTooLong(): PetStoreError {
  return new PetStoreError('uri_too_long', `The address must not be longer than ${maxAddressLength} characters.`)
}

/** The path of an address, which may have the absolute form of proxy requests. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
}
