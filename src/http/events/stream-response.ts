import type { ServerResponse } from 'node:http'
import { encodePosition, type Position } from '../../contract/position.ts'
import type { StreamEnd } from '../replies/observe.ts'
import type { EventReader } from './event-feed.ts'
import type { SendBuffer } from './send-buffers.ts'

export interface StreamResponse extends EventReader {
  /** Ends the stream properly if its client reads, and at once in any case; the client can resume. */
  end(reason: Exclude<StreamEnd, 'left' | 'slow'>): void
}

export interface StreamResponseOptions {
  /** The start position. */
  after: Position
  heartbeatMs: number
  openBuffer: (cut: () => void) => SendBuffer
  closed: (reason: StreamEnd) => void
}

/** A client with more unread bytes than this is sent nothing until it has read them. */
const maxWaitingBytes = 16 * 1024
const heartbeat = Buffer.from(': still here\n\n')

/** The last bytes of a stream, by the reason of its end. */
const lastWords: Partial<Record<StreamEnd, string>> = {
  // The reconnect tells the client that its key has ended, so it need not wait.
  key: 'retry: 0\n\n',
  reset: ': the shop was reset\n\n',
}

export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // A proxy that buffers responses would hold this one for ever.
  'x-accel-buffering': 'no',
}

/** Starts a stream, which is open until `closed` is called. Its head was sent, and the connection must be open. */
export function startStream(raw: ServerResponse, options: StreamResponseOptions): StreamResponse {
  const { after, heartbeatMs, openBuffer, closed } = options
  let reason: StreamEnd = 'left'
  let wake = () => {}
  const buffer = openBuffer(cut)
  const isOpen = () => !raw.writableEnded && !raw.destroyed
  const canTake = () => raw.writableLength < maxWaitingBytes

  function cut(): void {
    if (isOpen()) reason = 'slow'
    raw.destroy()
  }

  function taken(): void {
    buffer.release()
    if (canTake()) wake()
  }

  // Sends the position first, so that a client that disconnects before the first event resumes there.
  raw.write(`retry: 1000\nid: ${encodePosition(after)}\n\n`)
  // Node's own timeout restarts with every write and with every read of the client.
  raw.setTimeout(heartbeatMs * 2, cut)
  const beat = setInterval(() => {
    if (isOpen() && raw.writableLength === 0) raw.write(heartbeat)
  }, heartbeatMs).unref()
  // A client that ended its side gets the response of any other request, but a stream would have no end.
  const leave = () => raw.destroy()
  const { socket } = raw
  socket?.once('end', leave)
  raw.once('close', () => {
    clearInterval(beat)
    socket?.off('end', leave)
    buffer.releaseAll()
    wake()
    closed(reason)
  })

  return {
    after,
    canTake,
    send(frames, bytes) {
      if (!isOpen()) return
      buffer.hold(frames)
      raw.write(bytes, taken)
    },
    async writable() {
      while (isOpen() && !canTake()) await new Promise<void>((resolve) => (wake = resolve))
      return isOpen()
    },
    end(why) {
      if (isOpen()) {
        reason = why
        raw.end(lastWords[why])
      }
      setImmediate(() => raw.writableFinished || raw.destroy())
    },
  }
}
