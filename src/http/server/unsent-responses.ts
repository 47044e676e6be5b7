import type { Socket } from 'node:net'
import type { Connection } from './connection.ts'
import type { ConnectionLimits } from './limits.ts'

/** Clients that read small responses may hold this many times as much as those that do not read. */
const readingFactor = 3

interface Holder {
  socket: Socket
  bytes: number
}

/**
 * Limits the cost of clients that do not read: gives each of their connections a timeout, which Node restarts whenever
 * the client reads, and closes the largest if all together hold too much. Clients that have read lately are closed only
 * if there is far too much.
 */
export function checkUnsent(connections: Iterable<Connection>, limits: ConnectionLimits): void {
  const { stallTimeoutMs, maxPauseMs, maxUnsentBytes } = limits
  const reading: Holder[] = []
  const silent: Holder[] = []
  for (const { socket, isShared, reservedBytes } of connections) {
    const { writableLength } = socket
    if (writableLength === 0) {
      progress.delete(socket)
      continue
    }
    if (!socket.timeout) socket.setTimeout(stallTimeoutMs)
    if (isShared) continue
    const isReading = silentMs(socket) < maxPauseMs
    // The budget limits the bytes of clients that read.
    if (isReading && reservedBytes > 0) continue
    const holders = isReading ? reading : silent
    holders.push({ socket, bytes: Math.max(writableLength, reservedBytes) })
  }
  const left = closeLargest(silent, maxUnsentBytes)
  closeLargest([...reading, ...left], readingFactor * maxUnsentBytes)
}

/** Returns those that stay open. */
function closeLargest(holders: readonly Holder[], maxBytes: number): Holder[] {
  let unsentBytes = holders.reduce((sum, { bytes }) => sum + bytes, 0)
  if (unsentBytes <= maxBytes) return [...holders]
  const largestFirst = holders.toSorted((a, b) => b.bytes - a.bytes)
  while (unsentBytes > maxBytes) {
    const { socket, bytes } = largestFirst.shift() as Holder
    unsentBytes -= bytes
    socket.destroy()
  }
  return largestFirst
}

/** What was unsent at the last check, and when that last changed. */
const progress = new WeakMap<Socket, { unsentBytes: number; at: number }>()

/** For how long the client has read nothing. Nothing is added to what it does not read: responses wait for each other. */
function silentMs(socket: Socket): number {
  // Of a large write, `writableLength` has all bytes until the last is sent; the queue of the system has the rest of
  // them. There is no public way to ask for it.
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  const unsentBytes = socket.writableLength + (handle?.writeQueueSize ?? 0)
  const now = performance.now()
  const last = progress.get(socket)
  if (last !== undefined && unsentBytes === last.unsentBytes) return now - last.at
  progress.set(socket, { unsentBytes, at: now })
  return 0
}
