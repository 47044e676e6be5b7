import type { ResponseHeaders } from './runtime-types.ts'

declare const etag: unique symbol

/** A resource whose ETag the client remembers, for `ifMatch` and `etagOf`. */
export type WithEtag<Resource extends object> = Resource & { readonly [etag]: true }

const etags = new WeakMap<object, string>()

/** @internal */
export function rememberEtag<Resource extends object>(
  resource: Resource,
  headers: ResponseHeaders,
): WithEtag<Resource> {
  const header = headers.get('etag')
  if (header !== null) etags.set(resource, header)
  return resource as WithEtag<Resource>
}

/** The ETag of a resource that a method returned. Undefined for a copy of it and for items of a list. */
export function etagOf(resource: object): string | undefined {
  return etags.get(resource)
}

/** @internal The `If-Match` header. */
export function ifMatchHeader(ifMatch: string | WithEtag<object> | undefined): string | undefined {
  if (ifMatch === undefined) return undefined
  const header = typeof ifMatch === 'string' ? ifMatch.trim() : etagOf(ifMatch)
  if (!header)
    throw new TypeError('ifMatch must be an ETag, or what a method returned with one (no copy, no item of a list)')
  return header
}
