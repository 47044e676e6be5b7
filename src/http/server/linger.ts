import type { Socket } from 'node:net'
import type { ConnectionLimits } from './limits.ts'

export type LingeringSockets = ReturnType<typeof lingeringSockets>

/** Connections whose clients may still be sending after their last response. */
export function lingeringSockets({ lingerMs, maxLingerBytes }: ConnectionLimits) {
  const open = new Map<Socket, { endsAt: number; maxBytesRead: number }>()
  return {
    /**
     * Closes a connection whose client may still be sending (RFC 9112, 9.6): ends our side, then reads and drops bytes
     * until the client ends its side, within a limited time and size. If the socket were closed with unread bytes, the
     * system would reset the connection, and the client could lose its response.
     */
    closeAfterReading(socket: Socket): void {
      open.set(socket, { endsAt: performance.now() + lingerMs, maxBytesRead: socket.bytesRead + maxLingerBytes })
      socket.once('close', () => open.delete(socket))
      socket.end()
      if (socket.readableEnded) return closeAfterWriting(socket)
      socket.once('end', () => closeAfterWriting(socket))
      socket.resume()
    },

    /** Cuts those that take too long or send too much. Called from time to time. */
    check(later: (work: () => void) => void): void {
      const now = performance.now()
      for (const [socket, { endsAt, maxBytesRead }] of open) {
        if (now <= endsAt && socket.bytesRead <= maxBytesRead) continue
        open.delete(socket)
        later(() => socket.destroy())
      }
    },
  }
}

/** Closes a connection whose side was ended, when all bytes are written. */
export function closeAfterWriting(socket: Socket): void {
  if (socket.writableFinished) socket.destroy()
  else socket.once('finish', () => socket.destroy())
}
