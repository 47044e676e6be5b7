/**
 * How much a client wants `value`, from 0 (not at all) to 1, by a header such as `Accept` or `Accept-Encoding` (RFC 9110,
 * 12.4.2 and 12.5). The most exact range that fits decides. Undefined if none does, or the header is missing.
 */
export function qualityOf(header: string | undefined, value: string): number | undefined {
  const wanted = value.toLowerCase()
  let best: { exactness: number; quality: number } | undefined
  for (const item of header?.toLowerCase().split(',') ?? []) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    const exactness = exactnessOf(range, wanted)
    if (exactness === 0 || exactness < (best?.exactness ?? 0)) continue
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    best = { exactness, quality: weight === undefined ? 1 : readWeight(weight) }
  }
  return best?.quality
}

/** Whether a client takes a body that was compressed with gzip, and would not rather have it plain. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const gzip = qualityOf(acceptEncoding, 'gzip') ?? 0
  return gzip > 0 && gzip >= (qualityOf(acceptEncoding, 'identity') ?? 0)
}

/**
 * Whether a client asks for server-sent events. They must be named: one that takes anything gets the list. One that also
 * takes JSON gets what it wants more.
 */
export function prefersEventStream(accept: string | undefined): boolean {
  const isNamed = /(^|,)\s*text\/event-stream\s*($|[,;])/i.test(accept ?? '')
  const stream = qualityOf(accept, 'text/event-stream') ?? 0
  return isNamed && stream > 0 && stream >= (qualityOf(accept, 'application/json') ?? 0)
}

/** 3 for the value itself, 2 for its type with any subtype, 1 for anything, 0 for something else. */
function exactnessOf(range: string, wanted: string): number {
  if (range === wanted) return 3
  if (range === '*' || range === '*/*') return 1
  return range.endsWith('/*') && wanted.startsWith(range.slice(0, -1)) ? 2 : 0
}

/** What is no weight wants nothing: better the usual answer than one that was not asked for. */
function readWeight(parameter: string): number {
  const text = parameter.replace(/^q\s*=\s*/, '')
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
