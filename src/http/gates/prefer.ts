import type { FastifyReply, FastifyRequest } from 'fastify'

// One preference of several: up to a comma that is not inside a quoted string.
const separated = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g
const preference = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*(?:;|$)/

/**
 * What the client prefers (RFC 7240), names and values in lower case. Node has joined several `Prefer` headers by then. Of a
 * preference that is given twice the first counts; what is no preference is ignored, as is one that nobody knows.
 */
export function preferencesOf({ headers }: FastifyRequest): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const { prefer } = headers
  for (const text of prefer === undefined ? [] : (String(prefer).match(separated) ?? [])) {
    const [, name, quoted, token] = preference.exec(text) ?? []
    const key = name?.toLowerCase()
    if (key !== undefined && !found.has(key)) found.set(key, (quoted ?? token ?? '').toLowerCase())
  }
  return found
}

/** Tells the client that a preference of its was honoured. */
export function confirmPreference(reply: FastifyReply, applied: string): void {
  const before = reply.getHeader('preference-applied')
  reply.header('preference-applied', before === undefined ? applied : `${String(before)}, ${applied}`)
}

const strictInputs = new WeakSet<object>()

/** Honours `Prefer: handling=strict` and `handling=lenient`, which is what happens anyway. Before anything is checked. */
export function honourHandling(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (request.headers.prefer !== undefined) {
    const handling = preferencesOf(request).get('handling')
    if (handling === 'strict' || handling === 'lenient') confirmPreference(reply, `handling=${handling}`)
    if (handling === 'strict') strictInputs.add(request.query as object)
  }
  done()
}

/** Whether what the schema does not name is refused in this query or body. */
export function isStrict(input: object): boolean {
  return strictInputs.has(input)
}

/** The body is as strict as the query of the same request, of which it was known first. */
export function inheritStrictness({ query }: FastifyRequest, body: object): void {
  if (strictInputs.has(query as object)) strictInputs.add(body)
}
