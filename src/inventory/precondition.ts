import { hash } from 'node:crypto'

/** The entity tag of a resource (RFC 9110, 8.8.3), made of its wire form. */
export function entityTag(wireForm: string): string {
  return `"${hash('sha256', wireForm, 'base64url')}"`
}

/** What must be true of a resource at the moment of a change. In both lists `*` stands for every tag. */
export interface Precondition {
  /** `If-Match`: there is such a resource, and its tag is one of these. */
  match?: readonly string[]
  /** `If-None-Match`: there is no such resource, or its tag is none of these. */
  noneMatch?: readonly string[]
}

/** Whether the precondition holds for a resource with this wire form; undefined where there is no such resource. */
export function isMet({ match, noneMatch }: Precondition = {}, wireForm: string | undefined): boolean {
  if (match === undefined && noneMatch === undefined) return true
  const tag = wireForm === undefined ? undefined : entityTag(wireForm)
  const isOneOf = (tags: readonly string[]) => tag !== undefined && (tags.includes('*') || tags.includes(tag))
  return (match === undefined || isOneOf(match)) && (noneMatch === undefined || !isOneOf(noneMatch))
}
