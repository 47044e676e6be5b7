import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShopEvent } from '../contract/event.ts'
import { encodeEvent } from '../contract/json.ts'
import { unavailable } from '../inventory/errors.ts'
import type { EventFeed } from './event-feed.ts'

export interface EventStreams {
  /** Answers with a stream of what happens after the event `after`, until the client leaves or is let go. */
  open(request: FastifyRequest, reply: FastifyReply, after: bigint): Promise<void>
  /** Ends all streams: their clients come back, to another process or a new one. */
  close(): void
}

export interface EventStreamsOptions {
  feed: EventFeed
  source: string
  /** Whether the key that a request came with is still good. */
  isStillWelcome: (request: FastifyRequest) => Promise<boolean>
  /** Milliseconds between two signs of life; the key is looked at as often. */
  heartbeat?: number
}

/** In bytes. A reader with more than this on its way does not keep up: it is let go, and may come back where it was. */
const patience = 1024 * 1024
const mostStreams = 10_000

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function eventStreams({ feed, source, isStillWelcome, heartbeat = 15_000 }: EventStreamsOptions): EventStreams {
  const ends = new Set<() => void>()
  // Most streams are told of the same event at the same time: it is encoded once.
  const frames = new WeakMap<ShopEvent, string>()

  function frameOf(event: ShopEvent): string {
    let frame = frames.get(event)
    if (frame === undefined) {
      frame = `id: ${event.id}\ndata: ${encodeEvent(event, source)}\n\n`
      frames.set(event, frame)
    }
    return frame
  }

  return {
    async open(request, reply, after) {
      if (ends.size >= mostStreams) throw unavailable('Too many streams are open; try again.')
      const { raw } = reply
      reply.hijack()
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // A proxy that gathers an answer before it passes it on would gather this one for ever.
        'x-accel-buffering': 'no',
      })
      // With a place to come back to: a client that loses the connection before the first event misses none either.
      raw.write(`retry: 1000\nid: ${after}\n\n`)

      const reader = {
        after,
        tell(events: readonly ShopEvent[]) {
          raw.write(events.map(frameOf).join(''))
          if (raw.writableLength > patience) raw.destroy()
        },
      }
      const beat = setInterval(() => {
        raw.write(': still here\n\n')
        if (raw.writableLength > patience) raw.destroy()
        isStillWelcome(request).then(
          (isWelcome) => isWelcome || end(),
          () => undefined,
        )
      }, heartbeat).unref()
      function end(): void {
        raw.end()
      }
      ends.add(end)
      raw.once('close', () => {
        clearInterval(beat)
        ends.delete(end)
        feed.leave(reader)
      })
      await feed.follow(reader).catch(end)
      // Whoever left while it was still catching up must not stay.
      if (raw.destroyed || raw.writableEnded) feed.leave(reader)
    },

    close() {
      feed.close()
      for (const end of ends) end()
    },
  }
}
