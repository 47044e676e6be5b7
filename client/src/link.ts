/** Where the `Link` header (RFC 8288) leads with this relation. (Not to be read further than its path where it is relative.) */
export function linkTo(relation: string, headers: Headers): URL | undefined {
  for (const [, target, parameters = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel="?([^";,]*)"?/i.exec(parameters)?.[1]?.split(' ') ?? []
    if (target !== undefined && relations.includes(relation)) return new URL(target, 'http://relative.invalid')
  }
  return undefined
}
