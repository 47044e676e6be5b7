import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { encodePosition, type Position } from '../../contract/position.ts'
import type { StreamEnd } from '../replies/observe.ts'
import type { EventReader } from './event-feed.ts'
import type { SendBuffer } from './send-buffers.ts'

export interface StreamResponse extends EventReader {
  /** Ends it properly if its client reads, and at once in any case: the client may come back where it was. */
  end(reason: Exclude<StreamEnd, 'left' | 'slow'>): void
}

export interface StreamResponseOptions {
  headers: OutgoingHttpHeaders
  /** The position that it goes on from. */
  after: Position
  heartbeatMs: number
  openBuffer: (cut: () => void) => SendBuffer
  closed: (reason: StreamEnd) => void
}

/** A client with more than this on its way is sent nothing until it has taken that. */
const maxWaitingBytes = 16 * 1024
const heartbeat = Buffer.from(': still here\n\n')

/** Answers with a stream, which is open until `closed` is called. The connection must still be there. */
export function startStream(raw: ServerResponse, options: StreamResponseOptions): StreamResponse {
  const { headers, after, heartbeatMs, openBuffer, closed } = options
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

  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // A proxy that buffers a response before it passes it on would buffer this one for ever.
    'x-accel-buffering': 'no',
  })
  // With a position: a client that loses the connection before the first event comes back to it and misses none.
  raw.write(`retry: 1000\nid: ${encodePosition(after)}\n\n`)
  // Node's own timeout: it starts anew with everything that is written and with everything that is taken.
  raw.setTimeout(heartbeatMs * 2, cut)
  const beat = setInterval(() => {
    if (isOpen() && raw.writableLength === 0) raw.write(heartbeat)
  }, heartbeatMs).unref()
  raw.once('close', () => {
    clearInterval(beat)
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
      if (isOpen()) reason = why
      raw.end()
      setImmediate(() => raw.writableFinished || raw.destroy())
    },
  }
}
