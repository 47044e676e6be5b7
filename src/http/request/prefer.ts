import type { FastifyRequest } from 'fastify'

// One preference of a list: up to a comma outside of quotes.
const separated = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g
const preference = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?\s*(?:;|$)/

/**
 * The preferences of the client (RFC 7240), names and values in lower case. Node has already joined several `Prefer`
 * headers. If a preference is given twice, the first counts; invalid and unknown ones are ignored.
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
