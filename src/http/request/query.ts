import { PetStoreError } from '../../inventory/errors.ts'

const malformed = Symbol('malformed')

/** A query. A repeated parameter is an array. */
export type Query = Record<string, string | string[]> & { [malformed]?: true }

/** Makes an object that inherits nothing, because any name is possible; much faster to fill than `Object.create(null)`. */
const EmptyQuery = function () {} as unknown as new () => Query
EmptyQuery.prototype = Object.create(null)

/** Parses a query string. A broken percent escape is marked, not thrown: the key is checked before the parameters. */
export function parseQuery(text: string): Query {
  const query = new EmptyQuery()
  if (text === '') return query
  try {
    for (const pair of text.split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decode(equals === -1 ? pair : pair.slice(0, equals))
      const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
      const before = query[name]
      if (before === undefined) query[name] = value
      else if (typeof before === 'string') query[name] = [before, value]
      else before.push(value)
    }
  } catch {
    query[malformed] = true
  }
  return query
}

export function isMalformed(query: object): boolean {
  return (query as Query)[malformed] === true
}

export function brokenQuery(): PetStoreError {
  return new PetStoreError(
    'invalid_parameter',
    'The query has a broken percent escape: % must begin the two hexadecimal digits of a byte of UTF-8.',
    { fields: [] },
  )
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}
