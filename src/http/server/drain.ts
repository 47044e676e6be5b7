import type { Server } from 'node:http'
import type { Connections } from './connections.ts'
import type { ConnectionLimits } from './limits.ts'
import { http } from '../node-http.ts'

const sweepIntervalMs = 20

/**
 * Closes every connection of a stopping server without resetting one in use. Responses have `Connection: close` from
 * now on. A connection without a request stays open for a moment, so that a request that was just sent is served.
 * Resolves, when the server has `closed`, to the number of connections that had to be cut.
 */
export async function drainConnections(
  server: Server,
  connections: Connections,
  { closeIdleMs, closeAllMs }: ConnectionLimits,
  closed: Promise<void>,
  cutHandshakes: () => void = () => undefined,
): Promise<number> {
  const start = performance.now()
  let cut = 0
  for (const connection of connections.all()) connection.closeAfterResponse()

  function sweep(): void {
    const elapsedMs = performance.now() - start
    if (elapsedMs >= closeIdleMs) {
      closeIdle(server, connections)
      cutHandshakes()
    }
    if (elapsedMs < closeAllMs) return
    for (const { socket } of connections.all()) {
      socket.destroy()
      cut++
    }
  }
  // After received bytes were read: a request among them keeps its connection.
  const sweeping = setInterval(() => setImmediate(sweep), sweepIntervalMs).unref()
  await closed
  clearInterval(sweeping)
  return cut
}

function closeIdle(server: Server, connections: Connections): void {
  http.Server.prototype.closeIdleConnections.call(server)
  // For Node a connection is idle only after its first request.
  for (const { socket, isClosing } of connections.all()) if (isClosing || socket.bytesRead === 0) socket.destroy()
}
