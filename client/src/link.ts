// White space belongs to what follows it: one way to read a header, however long, and no backtracking.
const parameter = String.raw`;(?:\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?`
const linkForm = new RegExp(String.raw`\s*(?:<([^<>]*)>((?:\s*${parameter})*)\s*)?(?:,|$)`, 'y')
const parameterForm = new RegExp(parameter, 'g')

/**
 * The target of the link with this relation in the `Link` header (RFC 8288), as it stands there: it may be relative.
 * Throws a SyntaxError when the header cannot be read.
 */
export function findLink(relation: string, headers: Headers): string | undefined {
  const header = headers.get('link') ?? ''
  for (let at = 0; at < header.length; at = linkForm.lastIndex) {
    linkForm.lastIndex = at
    const link = linkForm.exec(header)
    if (link === null) throw new SyntaxError('The Link header cannot be read.')
    const [, target, parameters = ''] = link
    if (relationsOf(parameters).includes(relation)) return target
  }
  return undefined
}

/** Of several `rel` parameters only the first counts. Names and relations are compared without case. */
function relationsOf(parameters: string): string[] {
  const rel = [...parameters.matchAll(parameterForm)].find(([, name = '']) => name.toLowerCase() === 'rel')
  return (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/)
}
