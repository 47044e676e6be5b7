import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Exchange } from '../exchange.ts'
import type { Connections } from './connections.ts'
import type { ConnectionLimits } from './limits.ts'

const healthPath = /^\/(livez|readyz)(\?|$)/

/**
 * Limits the connections of a server, which would otherwise run out of descriptors: the system then resets every new
 * connection, also one for /readyz. A new connection beyond the limit takes the place of the oldest idle one. If none is
 * idle, it may ask for /livez and /readyz alone. `reached` is called for each such connection.
 * Returns whether a request is refused for that.
 */
export function limitConnections(
  server: Server,
  connections: Connections,
  { maxConnections, maxHealthConnections }: ConnectionLimits,
  reached: () => void,
): (exchange: Exchange) => boolean {
  if (maxConnections === Infinity) return () => false
  const forHealth = new WeakSet<Socket>()
  // Beyond it Node closes a connection at once.
  server.maxConnections = maxConnections + maxHealthConnections
  server.on('drop', reached)

  function makeRoom(socket: Socket): void {
    if (connections.count() <= maxConnections) return
    reached()
    const oldestIdle = connections.all().find((connection) => connection.isIdle && connection.socket !== socket)
    if (oldestIdle === undefined) forHealth.add(socket)
    else oldestIdle.socket.destroy()
  }
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', makeRoom)

  return ({ request }) => forHealth.has(request.socket) && !healthPath.test(request.url ?? '')
}
