import type { Server } from 'node:http'
import type { Connections } from './connections.ts'
import type { ConnectionLimits } from './limits.ts'

/**
 * Ends requests whose bodies take too long. Node's own `requestTimeout` is one for all requests, and an import may take
 * longer than others.
 */
export function checkLateBodies(
  server: Server,
  connections: Connections,
  { bodyTimeoutMs }: Pick<ConnectionLimits, 'bodyTimeoutMs'>,
): void {
  const latest = performance.now() - bodyTimeoutMs
  for (const { last, socket } of connections.all()) {
    if (last === undefined || last.response.allowsSlowBody) continue
    if (last.request.isComplete || last.request.startedAt > latest) continue
    const error = Object.assign(new Error('The body is late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    server.emit('clientError', error, socket)
  }
}
