import type { Events } from '../../inventory/events.ts'
import { encodeFrames, type Frames } from './frames.ts'

export interface PastFrames {
  /** Their first may begin before the event that was asked for. */
  frames: readonly Frames[]
  /** No event follows. */
  isLast: boolean
  /** Events after the given one are not kept any more. */
  missed: boolean
}

/** Blocks end at multiples of this, so that readers at about the same place share them wherever they came from. */
const eventsPerBlock = 32n

/** Reads some of the events after a given one, from memory if another reader has just been there. */
export function pastFrames(events: Events, source: string, maxBytes: number): (after: bigint) => Promise<PastFrames> {
  /** Whole blocks, by the id of their last event. */
  const blocks = new Map<bigint, Frames[]>()
  let bytes = 0

  function keep(end: bigint, frames: Frames[]): void {
    drop(end)
    blocks.set(end, frames)
    bytes += sizeOf(frames)
    for (const oldest of blocks.keys()) {
      if (bytes <= maxBytes) return
      drop(oldest)
    }
  }

  function drop(end: bigint): void {
    bytes -= sizeOf(blocks.get(end) ?? [])
    blocks.delete(end)
  }

  return async (after) => {
    const end = (after / eventsPerBlock + 1n) * eventsPerBlock
    const known = blocks.get(end)
    if (known?.[0] !== undefined && known[0].first <= after + 1n) return { frames: known, isLast: false, missed: false }
    const { items, more, missed } = await events.list(Number(end - after), after)
    const frames = [...encodeFrames(items, source)]
    if (items.at(-1)?.id === end) keep(end, frames)
    return { frames, isLast: !more, missed }
  }
}

function sizeOf(frames: readonly Frames[]): number {
  return frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
