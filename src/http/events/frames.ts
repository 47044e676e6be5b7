import { encodeEvent } from '../../contract/event.ts'
import { encodePosition } from '../../contract/position.ts'
import type { EventPage } from '../../inventory/events.ts'
import { loopSteps } from '../../inventory/loop-steps.ts'

/** Events with consecutive ids as the bytes of a stream, shared by all streams that send them. */
export interface Frames {
  readonly first: bigint
  readonly last: bigint
  /** The lineage of the positions of these events. */
  readonly lineage: string | undefined
  readonly bytes: Buffer
  /** The end of each event's frame in `bytes`. */
  readonly ends: readonly number[]
}

/** In characters. A larger event has frames of its own. */
const maxLength = 16 * 1024

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), in steps of the event loop. */
export async function encodeFrames({ items: events, lineage }: EventPage, source: string): Promise<Frames[]> {
  const steps = loopSteps()
  const frames: Frames[] = []
  let text = ''
  let ends: number[] = []
  for (const [index, event] of events.entries()) {
    // An id without data moves the position of the client, which is not told of an event.
    const data = event.isUnreadable ? '' : `data: ${encodeEvent(event, source)}\n`
    const frame = `id: ${encodePosition({ id: event.id, lineage: event.lineage ?? lineage })}\n${data}\n`
    text += frame
    ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(frame))
    const next = events[index + 1]
    // `data` is most of a frame: close enough to decide whether the next one fits.
    if (next !== undefined && text.length + next.data.length <= maxLength) continue
    frames.push({ first: event.id - BigInt(ends.length - 1), last: event.id, lineage, bytes: Buffer.from(text), ends })
    text = ''
    ends = []
    if (steps.isOver()) await steps.next()
  }
  return frames
}

/** The bytes of the events after `after`. */
export function bytesAfter({ first, bytes, ends }: Frames, after: bigint): Buffer {
  return after < first ? bytes : bytes.subarray(ends[Number(after - first)])
}
