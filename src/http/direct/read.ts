import type { TObject, Static } from 'typebox'
import { checker } from '../../contract/checker.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Caller } from '../../inventory/caller.ts'
import { isMalformed, parseQuery } from '../request/query.ts'
import type { AcceptedCoding } from '../replies/content-coding.ts'
import type { DirectResponse } from './reply.ts'

/** A read whose response depends only on the address, the host and the accepted coding of the request. */
export interface DirectRead {
  operation: Operation
  /** The pattern of the route. */
  route: string
  /** Undefined if the address belongs to another route, or is not valid. */
  prepare(url: string): Reading | undefined
  /** The headers that errors of the operation have beside the usual ones. */
  errorHeaders?(url: string, base: string): Readonly<Record<string, string>>
}

/** Rejects as the route would. `base` is the base address for links. */
export type Reading = (base: string, accepted: AcceptedCoding | undefined, caller: Caller) => Promise<DirectResponse>

/** Reads the query of an address with this path. Returns undefined if the path differs or the query is not valid. */
export function queryReader<Schema extends TObject>(
  path: string,
  schema: Schema,
): (url: string) => Static<Schema> | undefined {
  const check = checker(schema, 'text')
  return (url) => {
    if (!url.startsWith(path) || (url.length > path.length && url[path.length] !== '?')) return undefined
    const query = parseQuery(url.slice(path.length + 1))
    const checked = isMalformed(query) ? undefined : check(query)
    return checked !== undefined && 'value' in checked ? checked.value : undefined
  }
}
