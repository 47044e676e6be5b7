import { hash } from 'node:crypto'

/** The entity tag of a resource (RFC 9110, 8.8.3), made from its JSON. */
export function entityTag(json: string): string {
  return `"${hash('sha256', json, 'base64url')}"`
}

/** A condition on a resource at the moment of a change. In both lists `*` matches every tag. */
export interface Precondition {
  /** `If-Match`: the resource exists, and its tag is one of these. */
  match?: readonly string[]
  /** `If-None-Match`: the resource does not exist, or its tag is none of these. */
  noneMatch?: readonly string[]
}

/** Whether the precondition holds for a resource with this JSON, undefined if it does not exist. */
export function isMet({ match, noneMatch }: Precondition = {}, json: string | undefined): boolean {
  if (match === undefined && noneMatch === undefined) return true
  const tag = json === undefined ? undefined : entityTag(json)
  const isOneOf = (tags: readonly string[]) => tag !== undefined && (tags.includes('*') || tags.includes(tag))
  return (match === undefined || isOneOf(match)) && (noneMatch === undefined || !isOneOf(noneMatch))
}
