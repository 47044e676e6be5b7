import type { ResponseHeaders } from './runtime-types.ts'

// White space belongs to the token after it, so there is one way to match and no backtracking.
const parameterForm = /;(?:\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/g
const linkForm = new RegExp(String.raw`\s*(?:<([^<>]*)>((?:\s*${parameterForm.source})*)\s*)?(?:,|$)`, 'y')

/**
 * The target of the link with this relation in the `Link` header (RFC 8288), unchanged: it may be relative. Null if the
 * header is malformed.
 */
export function findLink(relation: string, headers: ResponseHeaders): string | null | undefined {
  const header = headers.get('link') ?? ''
  for (let at = 0; at < header.length; at = linkForm.lastIndex) {
    linkForm.lastIndex = at
    const link = linkForm.exec(header)
    if (link === null) return null
    const [, target, parameters = ''] = link
    if (relationsOf(parameters).includes(relation)) return target
  }
  return undefined
}

/** Only the first `rel` parameter counts. Names and relations are case-insensitive. */
function relationsOf(parameters: string): string[] {
  const rel = [...parameters.matchAll(parameterForm)].find(([, name = '']) => /^rel$/i.test(name))
  return (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/)
}
