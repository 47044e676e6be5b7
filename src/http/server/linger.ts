import type { Socket } from 'node:net'
import type { ConnectionLimits } from './limits.ts'

const checkIntervalMs = 100

/**
 * Closes a connection whose client may still be sending (RFC 9112, 9.6): ends our side, then reads and drops bytes
 * until the client ends its side, within a limited time and size. If the socket were closed with unread bytes, the
 * system would reset the connection, and the client could lose its response.
 */
export function closeAfterReading(socket: Socket, { lingerMs, maxLingerBytes }: ConnectionLimits): void {
  const endsAt = performance.now() + lingerMs
  const maxBytesRead = socket.bytesRead + maxLingerBytes
  const check = setInterval(() => {
    if (performance.now() > endsAt || socket.bytesRead > maxBytesRead) socket.destroy()
  }, checkIntervalMs).unref()
  socket.once('close', () => clearInterval(check))
  socket.end()
  if (socket.readableEnded) return closeAfterWriting(socket)
  socket.once('end', () => closeAfterWriting(socket))
  socket.resume()
}

/** Closes a connection whose side was ended, when all bytes are written. */
export function closeAfterWriting(socket: Socket): void {
  if (socket.writableFinished) socket.destroy()
  else socket.once('finish', () => socket.destroy())
}
