import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShopEvent } from '../../contract/event.ts'
import { encodeEvent } from '../../contract/json.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { EventFeed, EventReader } from './event-feed.ts'

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
  heartbeat: number
  /** Told of every stream that ended otherwise than by our own doing: Fastify tells of no answer that was broken off. */
  brokenOff: (request: FastifyRequest, reply: FastifyReply) => void
}

/** In bytes. A reader with more than this on its way does not keep up: it is let go, and may come back where it was. */
const patience = 1024 * 1024
const mostStreams = 10_000

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function eventStreams(options: EventStreamsOptions): EventStreams {
  const { feed, source, isStillWelcome, heartbeat, brokenOff } = options
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

      let drained = () => {}
      function send(text: string): void {
        if (raw.writableEnded || raw.destroyed) return
        raw.write(text)
        if (raw.writableLength > patience) raw.destroy()
      }
      // At once, also for a reader that does not take what it was sent: it comes back where it was.
      function end(): void {
        raw.end()
        setImmediate(() => raw.writableFinished || raw.destroy())
      }
      const reader: EventReader = {
        after,
        tell: (events) => send(events.map(frameOf).join('')),
        async ready() {
          await (raw.writableNeedDrain ? new Promise<void>((resolve) => (drained = resolve)) : turn())
          return !raw.writableEnded && !raw.destroyed
        },
      }
      let isStuck = false
      const beat = setInterval(() => {
        // One that took nothing since the last sign of life is let go, too.
        if (isStuck) return void raw.destroy()
        send(': still here\n\n')
        isStuck = raw.writableNeedDrain
        isStillWelcome(request).then(
          (isWelcome) => isWelcome || end(),
          () => undefined,
        )
      }, heartbeat).unref()
      ends.add(end)
      raw.on('drain', () => {
        isStuck = false
        drained()
      })
      raw.once('close', () => {
        clearInterval(beat)
        ends.delete(end)
        feed.leave(reader)
        drained()
        if (!raw.writableFinished) brokenOff(request, reply)
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
