import type { FastifyRequest } from 'fastify'

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
