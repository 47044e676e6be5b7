import type { ResponseHeaders } from './runtime-types.ts'

/** A resource with the ETag of its response, for `ifMatch`. Copies keep it. Items of a list have none. */
export type WithEtag<Resource extends object> = Resource & { readonly etag?: string }

/** What `ifMatch` takes: an ETag, or what a method returned. */
export type EtagSource = string | { readonly etag?: string | undefined }

/** @internal */
export function addEtag<Resource extends object>(resource: Resource, headers: ResponseHeaders): WithEtag<Resource> {
  const etag = headers.get('etag')
  return etag === null ? resource : Object.assign(resource, { etag })
}

/** The ETag of a resource that a method returned. Undefined for items of a list. */
export function etagOf(resource: object): string | undefined {
  return (resource as { etag?: string }).etag
}

/** @internal The `If-Match` or `If-None-Match` header. */
export function etagHeader(name: string, source: EtagSource | undefined): string | undefined {
  if (source === undefined) return undefined
  const header = typeof source === 'string' ? source.trim() : etagOf(source)
  if (!header) throw new TypeError(`${name} must be an ETag, or what a method returned (no item of a list)`)
  return header
}
