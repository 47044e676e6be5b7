/** Where the `Link` header (RFC 8288) leads with this relation, as it stands there: it may be relative. */
export function linkTo(relation: string, headers: Headers): string | undefined {
  for (const [, target, parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel="?([^";,]*)"?/i.exec(parameters)?.[1]?.split(' ') ?? []
    if (relations.includes(relation)) return target
  }
  return undefined
}
