import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Exchange } from '../exchange.ts'
import type { Connections } from './connections.ts'
import type { ConnectionLimits } from './limits.ts'

const healthPath = /^\/(livez|readyz)(\?|$)/

/**
 * Limits the connections of a server, which would otherwise run out of descriptors: the system then resets every new
 * connection, also one for /readyz. A new connection beyond the limit takes the place of the oldest idle one. If it is
 * still beyond the limit then, it may ask for /livez and /readyz alone. `reached` is called for each such connection.
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
    const others = [...connections.all()].filter((other) => other.socket !== socket && !other.socket.destroyed)
    const oldestIdle = others.find(({ isIdle }) => isIdle)
    oldestIdle?.socket.destroy()
    const otherCount = others.length - (oldestIdle === undefined ? 0 : 1)
    // Also after it took the place of one that had this restriction.
    if (otherCount >= maxConnections) forHealth.add(socket)
  }
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', makeRoom)

  return ({ request: { incoming, url } }) =>
    incoming !== undefined && forHealth.has(incoming.socket) && !healthPath.test(url)
}
