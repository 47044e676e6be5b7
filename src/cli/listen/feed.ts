import { setTimeout as sleep } from 'node:timers/promises'
import { decodePosition } from '../../contract/position.ts'
import { Failure } from '../shared/failure.ts'
import { Broken, PositionLost, streamFrames, type StreamSource } from './stream.ts'

/** An event, and its JSON as the service sent it. */
export interface FeedEvent {
  id: string
  /** Of the event, without gaps. */
  number: bigint
  type: string
  body: string
}

export interface FeedOptions extends StreamSource {
  signal: AbortSignal
  /** Called once the first connection stands: every event from now on is followed. */
  connected: () => void
  /** Called with a sentence when the connection breaks, or stands again. */
  notify: (sentence: string) => void
}

const firstDelayMs = 250
const maxDelayMs = 10_000

/**
 * Every event of a service from now on, once and in order, until the signal. A broken connection is renewed after the
 * last event, however long it takes. Throws a Failure if the first connection fails, or if the service refuses.
 */
export async function* followFeed({ connected, notify, signal, ...source }: FeedOptions): AsyncGenerator<FeedEvent> {
  /** Opaque: sent back unchanged. */
  let position: string | undefined
  let lastNumber = 0n
  let isFirst = true
  let failures = 0

  function onConnected(): void {
    if (isFirst) connected()
    else if (failures > 0) notify('Connected again.')
    isFirst = false
    failures = 0
  }

  while (!signal.aborted) {
    try {
      for await (const { id, data } of streamFrames(source, position, signal)) {
        // The first frame has the position from which the stream starts.
        onConnected()
        position = id ?? position
        if (data === undefined) continue
        const event = readEvent(data)
        if (event.number <= lastNumber) continue
        lastNumber = event.number
        yield event
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof PositionLost) {
        notify(`${error.message} Events from now on follow.`)
        position = undefined
        lastNumber = 0n
        continue
      }
      if (!(error instanceof Broken)) throw error
      if (isFirst) throw new Failure(`The service at ${source.url.origin} does not answer: ${error.message}.`)
      if (++failures === 1) notify(`The connection to the service broke: ${error.message}. Connecting again.`)
    }
    const delayMs = Math.min(firstDelayMs * 2 ** Math.max(failures - 1, 0), maxDelayMs)
    await sleep(delayMs, undefined, { signal }).catch(() => undefined)
  }
}

function readEvent(body: string): FeedEvent {
  try {
    const { id, type } = JSON.parse(body) as { id: string; type: string }
    const number = decodePosition(id)?.id
    if (number !== undefined && typeof type === 'string') return { id, number, type, body }
  } catch {
    // Not JSON.
  }
  throw new Failure('The service has sent an event that cannot be read.')
}
