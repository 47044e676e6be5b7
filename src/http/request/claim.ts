import type { IncomingMessage } from 'node:http'

const owner = Symbol('owner')

/** Who answers a request: the operation that carries it out, or the server that refuses it before it is complete. */
export type Owner = 'operation' | 'refusal'

/**
 * Claims a request. The first claim stands, so what was refused is never carried out, whatever arrives later, and what
 * is being carried out is never refused. Nothing may be stored for a request before its operation has claimed it.
 */
export function claim(request: IncomingMessage & { [owner]?: Owner }, by: Owner): boolean {
  return (request[owner] ??= by) === by
}
