import type { Position } from '../../contract/position.ts'
import { PetStoreError, unavailable } from '../../inventory/errors.ts'
import type { ApiKey } from '../../inventory/keys.ts'
import { openPlaces } from '../../inventory/places.ts'
import type { Exchange, Reply } from '../exchange.ts'
import type { StreamEnd } from '../replies/observe.ts'
import { onceClosed } from '../request/once-closed.ts'
import type { EventFeed } from './event-feed.ts'
import { sendBuffers } from './send-buffers.ts'
import type { StreamKeys } from './stream-keys.ts'
import { startStream, streamHeaders, type StreamResponse } from './stream-response.ts'

export interface EventStreams {
  /** The events after `after` as a stream, until its client leaves or it is ended. */
  open(exchange: Exchange, after: Position): Reply
  /**
   * Ends all streams, and starts no more. Their clients reconnect, to another process, a new one, or the shop after its
   * reset.
   */
  close(reason?: 'stopping' | 'reset'): void
}

export interface StreamLimits {
  /** Of all keys, which share them. */
  maxStreams: number
  maxStreamsPerKey: number
  /** The limit for unsent bytes of all streams together. */
  maxBufferedBytes: number
}

export interface EventStreamsOptions {
  feed: EventFeed
  keys: StreamKeys
  heartbeatMs: number
  limits?: Partial<StreamLimits> | undefined
  opened: () => void
  ended: (reason: StreamEnd) => void
}

/** Clearly shorter than proxy timeouts; tests check those in deploy/ and docs/. */
export const defaultHeartbeatMs = 10_000

const defaultLimits: StreamLimits = {
  maxStreams: 10_000,
  maxStreamsPerKey: 1_000,
  maxBufferedBytes: 16 * 1024 * 1024,
}

export function eventStreams(options: EventStreamsOptions): EventStreams {
  const { feed, keys, heartbeatMs, opened, ended } = options
  const { maxStreams, maxStreamsPerKey, maxBufferedBytes } = { ...defaultLimits, ...options.limits }
  const streams = new Set<StreamResponse>()
  const places = openPlaces(maxStreams)
  const openBuffer = sendBuffers(maxBufferedBytes)
  let closedFor: 'stopping' | 'reset' | undefined

  /** The stream has a place until its response has ended. */
  function takePlace({ response: { outgoing } }: Exchange, key: ApiKey): void {
    if (keys.countOf(key) >= maxStreamsPerKey) {
      const message = `This API key has ${maxStreamsPerKey} streams open, the maximum.`
      throw new PetStoreError('rate_limited', message, { retryAfterSeconds: 10 })
    }
    const leave = places.take(key.id)
    if (leave === undefined) throw unavailable('Too many streams are open; try again.')
    onceClosed(outgoing, leave)
  }

  function start({ request: { incoming }, response: { outgoing } }: Exchange, key: ApiKey, after: Position): void {
    // The client has already left, and neither 'close' nor 'end' is emitted again.
    if (outgoing.destroyed || incoming?.socket.readableEnded !== false) return void outgoing.destroy()
    const stream = startStream(outgoing, {
      after,
      heartbeatMs,
      openBuffer,
      closed(reason) {
        streams.delete(stream)
        keys.delete(key, stream)
        feed.leave(stream)
        ended(reason)
      },
    })
    streams.add(stream)
    keys.add(key, stream)
    opened()
    // Closed while the head was sent.
    if (closedFor !== undefined) return stream.end(closedFor)
    feed.follow(stream)
  }

  return {
    open(exchange, after) {
      // A client may still ask on a connection that it had: a stream would end with the process, and have no events.
      if (closedFor !== undefined) throw unavailable('The stream of events has ended here; try again.')
      const key = exchange.findings.key as ApiKey
      takePlace(exchange, key)
      // send-buffers.ts limits the frames of all streams together.
      const body = () => start(exchange, key, after)
      return { status: 200, headers: streamHeaders, body, isShared: true, isStream: true }
    },

    close(reason = 'stopping') {
      closedFor = reason
      feed.close()
      for (const stream of streams) stream.end(reason)
    },
  }
}
