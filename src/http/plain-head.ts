/** The head of a request whose answer depends on nothing but its address, its key and whom it was asked of. */
export interface PlainHead {
  host: string
  authorization: string | undefined
  requestId: string | undefined
}

// With any of these the answer could be another one.
const special = ['if-none-match', 'prefer', 'expect', 'origin', 'x-forwarded-host', 'x-forwarded-proto']
const plain = ['host', 'authorization', 'x-request-id']
/** Most headers are none of these, and their length tells. */
const lengths = new Set([...special, ...plain].map(({ length }) => length))

/**
 * Reads the headers as they arrived; undefined when there is one that could make the answer another one, or one of
 * these a second time. Far cheaper than `request.headers`, which Node makes of all of them when it is first looked at.
 */
export function plainHead(rawHeaders: readonly string[]): PlainHead | undefined {
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
