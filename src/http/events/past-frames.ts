import type { Position } from '../../contract/position.ts'
import type { Events } from '../../inventory/events.ts'
import { encodeFrames, type Frames } from './frames.ts'

export interface PastFrames {
  /** The first frames may begin before the requested event. */
  frames: readonly Frames[]
  /** No further event exists. */
  isLast: boolean
  /** The next events have expired or were lost. */
  missed: boolean
  /** The lineage of the requested position. */
  lineage: string | undefined
}

/** Blocks end at multiples of this, so that readers at similar positions share them. */
const eventsPerBlock = 32n

/** Reads some events after a position, from memory if another reader has just read them. */
export function pastFrames(events: Events, source: string, maxBytes: number): (after: Position) => Promise<PastFrames> {
  /** Complete blocks, by the id of their last event. */
  const blocks = new Map<bigint, Frames[]>()
  let bytes = 0

  function store(end: bigint, frames: Frames[]): void {
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

  /** One block at a time is read: its events may be large, and others may wait for the same one. */
  let lastRead: Promise<unknown> = Promise.resolve()
  return (after) => {
    const result = lastRead.then(() => readBlock(after))
    lastRead = result.catch(() => undefined)
    return result
  }

  async function readBlock({ id, lineage }: Position): Promise<PastFrames> {
    const end = (id / eventsPerBlock + 1n) * eventsPerBlock
    const known = blocks.get(end)
    // Only in the same lineage: in another one the same ids may belong to other events.
    if (known?.[0] !== undefined && known[0].first <= id + 1n && known[0].lineage === lineage) {
      return { frames: known, isLast: false, missed: false, lineage }
    }
    const page = await events.list(Number(end - id), id, lineage)
    const frames = await encodeFrames(page, source)
    if (frames.at(-1)?.last === end) store(end, frames)
    return { frames, isLast: !page.more, missed: page.missed, lineage: page.lineage }
  }
}

function sizeOf(frames: readonly Frames[]): number {
  return frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
