/** The head of a request whose answer depends on nothing but its address, its key and whom it was asked of. */
export interface PlainHead {
  host: string
  authorization: string | undefined
  requestId: string | undefined
}

// With any of these the answer could be another one.
const always = ['if-match', 'if-none-match', 'prefer', 'expect', 'origin']
const fromProxies = ['x-forwarded-host', 'x-forwarded-proto']
const plain = ['host', 'authorization', 'x-request-id']

/**
 * Reads the headers as they arrived; undefined when there is one that could make the answer another one, or one of
 * these a second time. Far cheaper than `request.headers`, which Node makes of all of them when it is first looked at.
 * What proxies say matters only where it is believed and links are made of it.
 */
export function plainHeads(believesProxies: boolean): (rawHeaders: readonly string[]) => PlainHead | undefined {
  const special = believesProxies ? [...always, ...fromProxies] : always
  // Most headers are none of these, and their length tells.
  const lengths = new Set([...special, ...plain].map(({ length }) => length))
  return (rawHeaders) => plainHead(rawHeaders, special, lengths)
}

function plainHead(
  rawHeaders: readonly string[],
  special: readonly string[],
  lengths: ReadonlySet<number>,
): PlainHead | undefined {
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
