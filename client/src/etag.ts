const etags = new WeakMap<object, string>()

export function rememberEtag(value: object, headers: Headers): void {
  const etag = headers.get('etag')
  if (etag !== null) etags.set(value, etag)
}

/** The `ETag` that came with an animal: those from `get` and `update` have one. */
export function etagOf(value: object): string | undefined {
  return etags.get(value)
}
