/** The headers of a read whose response depends only on its address, key, host and accepted coding. */
export interface ReadHeaders {
  host: string
  authorization: string | undefined
  requestId: string | undefined
  acceptEncoding: string | undefined
}

/** The headers of a create whose response depends only on these, its address and its body. */
export interface CreateHeaders extends Omit<ReadHeaders, 'acceptEncoding'> {
  contentType: string | undefined
  contentLength: string | undefined
  idempotencyKey: string | undefined
}

// These headers could change the response.
const changing = ['if-match', 'if-none-match', 'prefer', 'expect', 'origin', 'transfer-encoding']
// The body of a read would arrive after its response, together with the next request (connections.ts).
const changingRead = [...changing, 'content-length']
const changingCreate = [...changing, 'content-encoding']
const fromProxies = ['x-forwarded-host', 'x-forwarded-proto']

const common = ['host', 'authorization', 'x-request-id']

/**
 * Reads the raw headers. Returns undefined if one of them could change the response, or is repeated. Much cheaper than
 * `request.headers`, which Node builds on first access. Forwarded headers matter only if they are trusted and used for
 * links.
 */
export function headersOfReads(trustsProxies: boolean): (rawHeaders: readonly string[]) => ReadHeaders | undefined {
  const valuesOf = headerReader(
    [...common, 'accept-encoding'],
    trustsProxies ? [...changingRead, ...fromProxies] : changingRead,
  )
  return (rawHeaders) => {
    const [host, authorization, requestId, acceptEncoding] = valuesOf(rawHeaders) ?? []
    return host === undefined ? undefined : { host, authorization, requestId, acceptEncoding }
  }
}

/** The same for a create. */
export function headersOfCreates(trustsProxies: boolean): (rawHeaders: readonly string[]) => CreateHeaders | undefined {
  const valuesOf = headerReader(
    [...common, 'content-type', 'content-length', 'idempotency-key'],
    trustsProxies ? [...changingCreate, ...fromProxies] : changingCreate,
  )
  return (rawHeaders) => {
    const [host, authorization, requestId, contentType, contentLength, idempotencyKey] = valuesOf(rawHeaders) ?? []
    if (host === undefined) return undefined
    return { host, authorization, requestId, contentType, contentLength, idempotencyKey }
  }
}

type Values = (string | undefined)[]

/** The values of the headers in `wanted`. Undefined if one is repeated, or if one of the headers in `refused` is there. */
function headerReader(wanted: readonly string[], refused: readonly string[]) {
  // Most headers differ already by their length.
  const lengths = new Set([...wanted, ...refused].map(({ length }) => length))
  return (rawHeaders: readonly string[]): Values | undefined => {
    const values: Values = wanted.map(() => undefined)
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const raw = rawHeaders[index] as string
      if (!lengths.has(raw.length)) continue
      const name = raw.toLowerCase()
      const place = wanted.indexOf(name)
      if (place === -1 ? refused.includes(name) : values[place] !== undefined) return undefined
      if (place !== -1) values[place] = rawHeaders[index + 1]
    }
    return values
  }
}
