import { isShared } from '../replies/shared-bytes.ts'
import type { Connection } from './connections.ts'
import type { ConnectionLimits } from './limits.ts'

/**
 * Limits the cost of clients that do not read: gives each of their connections a timeout, which Node restarts whenever
 * the client reads, and closes the largest if all together hold too much.
 */
export function checkUnsent(connections: Iterable<Connection>, limits: ConnectionLimits): void {
  const { stallTimeoutMs, maxUnsentBytes } = limits
  const holders: { socket: Connection['socket']; bytes: number }[] = []
  let unsentBytes = 0
  for (const { socket, current } of connections) {
    const bytes = socket.writableLength
    if (bytes === 0) continue
    if (!socket.timeout) socket.setTimeout(stallTimeoutMs)
    if (isShared(current?.response)) continue
    holders.push({ socket, bytes })
    unsentBytes += bytes
  }
  if (unsentBytes <= maxUnsentBytes) return
  for (const { socket, bytes } of holders.toSorted((a, b) => b.bytes - a.bytes)) {
    if (unsentBytes <= maxUnsentBytes) return
    unsentBytes -= bytes
    socket.destroy()
  }
}
