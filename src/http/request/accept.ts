/**
 * The quality of `value` for a client, from 0 (not acceptable) to 1, by a header such as `Accept` or `Accept-Encoding`
 * (RFC 9110, 12.4.2 and 12.5). `value` is in lower case. The most specific matching range decides. Undefined without a
 * match or a header.
 */
export function qualityOf(header: string | undefined, value: string): number | undefined {
  let best: { exactness: number; quality: number } | undefined
  for (const item of header?.toLowerCase().split(',') ?? []) {
    const end = item.indexOf(';')
    const exactness = exactnessOf((end === -1 ? item : item.slice(0, end)).trim(), value)
    if (exactness === 0 || exactness < (best?.exactness ?? 0)) continue
    const parameters = end === -1 ? [] : item.slice(end + 1).split(';')
    const weight = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q\s*=/.test(parameter))
    best = { exactness, quality: weight === undefined ? 1 : readWeight(weight) }
  }
  return best?.quality
}

/** Whether a client accepts gzip and does not prefer an uncompressed body. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const gzip = qualityOf(acceptEncoding, 'gzip') ?? 0
  return gzip > 0 && gzip >= (qualityOf(acceptEncoding, 'identity') ?? 0)
}

/**
 * Whether a client asks for server-sent events. They must be named: a wildcard gets the list. If JSON is named too, the
 * higher quality wins.
 */
export function prefersEventStream(accept: string | undefined): boolean {
  const isNamed = /(^|,)\s*text\/event-stream\s*($|[,;])/i.test(accept ?? '')
  const stream = qualityOf(accept, 'text/event-stream') ?? 0
  return isNamed && stream > 0 && stream >= (qualityOf(accept, 'application/json') ?? 0)
}

/** 3 for the value itself, 2 for its type with any subtype, 1 for any type, 0 for no match. */
function exactnessOf(range: string, wanted: string): number {
  if (range === wanted) return 3
  if (range === '*' || range === '*/*') return 1
  return range.endsWith('/*') && wanted.startsWith(range.slice(0, -1)) ? 2 : 0
}

/** An invalid weight counts as 0, so that the client gets the default response. */
function readWeight(parameter: string): number {
  const text = parameter.replace(/q\s*=\s*/, '')
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
