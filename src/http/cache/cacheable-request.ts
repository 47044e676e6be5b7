/** The headers of a request whose response depends only on its address, key and host. */
export interface CacheableHead {
  host: string
  authorization: string | undefined
  requestId: string | undefined
}

// These headers could change the response.
const changing = ['if-match', 'if-none-match', 'prefer', 'expect', 'origin']
const fromProxies = ['x-forwarded-host', 'x-forwarded-proto']
const expected = ['host', 'authorization', 'x-request-id']

/**
 * Reads the raw headers. Returns undefined if one of them could change the response, or is repeated. Much cheaper than
 * `request.headers`, which Node builds on first access. Forwarded headers matter only if they are trusted and used for
 * links.
 */
export function cacheableHeads(trustsProxies: boolean): (rawHeaders: readonly string[]) => CacheableHead | undefined {
  const special = trustsProxies ? [...changing, ...fromProxies] : changing
  // Most headers differ already by their length.
  const lengths = new Set([...special, ...expected].map(({ length }) => length))
  return (rawHeaders) => cacheableHead(rawHeaders, special, lengths)
}

function cacheableHead(
  rawHeaders: readonly string[],
  special: readonly string[],
  lengths: ReadonlySet<number>,
): CacheableHead | undefined {
  let host: string | undefined
  let authorization: string | undefined
  let requestId: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] as string
    if (!lengths.has(raw.length)) continue
    const name = raw.toLowerCase()
    const value = rawHeaders[index + 1] as string
    if (name === 'host') {
      if (host !== undefined) return undefined
      host = value
    } else if (name === 'authorization') {
      if (authorization !== undefined) return undefined
      authorization = value
    } else if (name === 'x-request-id') {
      if (requestId !== undefined) return undefined
      requestId = value
    } else if (special.includes(name)) return undefined
  }
  return host === undefined ? undefined : { host, authorization, requestId }
}
