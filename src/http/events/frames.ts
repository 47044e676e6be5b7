import { encodeEvent } from '../../contract/json.ts'
import { encodePosition } from '../../contract/position.ts'
import type { EventPage } from '../../inventory/events.ts'

/** Events with consecutive ids, as the bytes of a stream. Every stream that sends them shares these bytes. */
export interface Frames {
  readonly first: bigint
  readonly last: bigint
  /** In which the ids of these events are positions. */
  readonly history: string | undefined
  readonly bytes: Buffer
  /** Where the frame of each event ends in `bytes`. */
  readonly ends: readonly number[]
}

/** An event that is larger has frames of its own. */
const maxBytes = 16 * 1024

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function* encodeFrames({ items: events, history }: EventPage, source: string): Generator<Frames, void> {
  let parts: Buffer[] = []
  let ends: number[] = []
  let size = 0
  for (const [index, event] of events.entries()) {
    const part = Buffer.from(
      `id: ${encodePosition({ id: event.id, history })}\ndata: ${encodeEvent(event, source)}\n\n`,
    )
    parts.push(part)
    ends.push((size += part.length))
    const next = events[index + 1]
    // `data` is nearly all of a frame: near enough to tell whether the next one fits.
    if (next !== undefined && size + next.data.length <= maxBytes) continue
    const bytes = parts.length === 1 ? part : Buffer.concat(parts)
    yield { first: event.id - BigInt(parts.length - 1), last: event.id, history, bytes, ends }
    parts = []
    ends = []
    size = 0
  }
}

/** The bytes of those events that have a higher id than `after`. */
export function bytesAfter({ first, bytes, ends }: Frames, after: bigint): Buffer {
  return after < first ? bytes : bytes.subarray(ends[Number(after - first)])
}
