import { maxAddressLength } from '../../contract/body-limit.ts'
import { PetStoreError } from '../../inventory/errors.ts'

/** The address of a request, in its parts. */
export interface Target {
  /** As it was sent, without the query. */
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  /** The authority of an address in absolute form. It replaces the Host header, which links use. */
  readonly authority?: string
  /** The path has a percent escape that cannot be decoded. */
  readonly isBroken?: true
}

const absolute = /^https?:\/\/([^/?#]*)\/?/i

/** Reads an address in origin form or in absolute form (RFC 9112, 3.2). */
export function readTarget(url: string): Target {
  if (url.startsWith('/')) return parts(url)
  const [start, authority] = absolute.exec(url) ?? []
  if (start === undefined || authority === undefined) return parts(url)
  return { ...parts(`/${url.slice(start.length)}`), authority }
}

function parts(address: string): Target {
  const end = address.indexOf('?')
  const target =
    end === -1 ? { path: address, query: '' } : { path: address.slice(0, end), query: address.slice(end + 1) }
  return address.includes('%') ? escapeMalformedPath(target) : target
}

/** Makes a path that cannot be decoded routable: without a key the request gets 401, as at any other path. */
function escapeMalformedPath(target: Target): Target {
  try {
    decodeURIComponent(target.path)
    return target
  } catch {
    // ASCII escapes stay: /%761 is /v1 and requires a key.
    return { ...target, path: target.path.replace(/%(?![0-7][0-9a-f])/gi, '%25'), isBroken: true }
  }
}

export function addressTooLong(): PetStoreError {
  return new PetStoreError('uri_too_long', `The address must not be longer than ${maxAddressLength} characters.`)
}

/** The path of an address, which may have the absolute form of proxy requests. */
export function pathOf(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '')
}
