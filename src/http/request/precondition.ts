import { PetStoreError } from '../../inventory/errors.ts'
import type { Precondition } from '../../inventory/precondition.ts'
import type { HeaderName, WithHeaders } from './request-headers.ts'

/**
 * The precondition in `If-Match` and `If-None-Match` (RFC 9110, 13.1). If-Match compares strongly: a weak tag never
 * matches, because no resource has one. If-None-Match compares weakly, so W/ makes no difference.
 */
export function preconditionOf({ headers }: WithHeaders): Precondition {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  return {
    ...(match !== undefined && { match: readTags('If-Match', match) }),
    ...(noneMatch !== undefined && {
      noneMatch: readTags('If-None-Match', noneMatch).map((tag) => tag.replace(/^W\//, '')),
    }),
  }
}

/** The error for a failed precondition of `resource`, such as "animal". */
export function preconditionFailed({ headers }: WithHeaders, resource: string): PetStoreError {
  if (headers['if-none-match'] === '*' && headers['if-match'] === undefined) {
    const message = `If-None-Match: * asks that the ${resource} does not exist, but it does.`
    return new PetStoreError('precondition_failed', message)
  }
  const sent = ['If-Match', 'If-None-Match'].filter((name) => headers[name.toLowerCase() as HeaderName] !== undefined)
  return new PetStoreError(
    'precondition_failed',
    `The current ${resource} does not meet ${sent.join(' and ')}: read it again.`,
  )
}

const tags = /(?:W\/)?"[^"]*"/g

// A malformed precondition fails: ignoring it would make the change that it was meant to prevent.
function readTags(name: string, header: string): string[] {
  const text = header.trim()
  if (text === '*') return ['*']
  const found = text.match(tags)
  if (found === null || !/^[\s,]*$/.test(text.replace(tags, ''))) {
    throw new PetStoreError(
      'precondition_failed',
      `${name} must be * or entity tags in double quotes, separated by commas, as in ETag.`,
    )
  }
  return found
}
