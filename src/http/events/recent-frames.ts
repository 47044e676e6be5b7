import type { Position } from '../../contract/position.ts'
import type { Frames } from './frames.ts'

/** The latest events without a gap, for all streams. Closed until the start is known. */
export interface RecentFrames {
  readonly isOpen: boolean
  /** The position of the latest event that was added. */
  readonly head: Position
  /** `frames` follow the event `after`. */
  open(after: Position, frames: Iterable<Frames>): void
  close(): void
  /** `frames` follow `head`, which is valid in this lineage. */
  add(frames: Iterable<Frames>, lineage: string | undefined): void
  /** Drops the oldest entries above the limit. */
  trim(): void
  /**
   * Whether every event from `after` to `head` is here, in the same lineage. In another one the same ids may belong to
   * other events.
   */
  reachBackTo(after: Position): boolean
  /** The frames with the event after `after`; undefined if `after` is the head. */
  next(after: bigint): Frames | undefined
}

/** The memory of an entry beside its bytes. */
const overheadBytes = 500

export function recentFrames(maxBytes: number): RecentFrames {
  let entries: Frames[] = []
  let bytes = 0
  /** The event before the first entry; undefined while closed. */
  let start: bigint | undefined
  let lineage: string | undefined

  function headId(): bigint {
    return entries.at(-1)?.last ?? start ?? 0n
  }

  function push(frames: Iterable<Frames>): void {
    for (const each of frames) {
      entries.push(each)
      bytes += each.bytes.length + overheadBytes
    }
  }

  function close(): void {
    start = undefined
    entries = []
    bytes = 0
  }

  return {
    get isOpen() {
      return start !== undefined
    },
    get head() {
      return { id: headId(), lineage }
    },
    open(after, frames) {
      close()
      start = after.id
      lineage = after.lineage
      push(frames)
    },
    close,
    add(frames, newest) {
      push(frames)
      lineage = newest
    },
    trim() {
      let count = 0
      for (; bytes > maxBytes; count++) {
        const oldest = entries[count] as Frames
        bytes -= oldest.bytes.length + overheadBytes
        start = oldest.last
      }
      if (count > 0) entries.splice(0, count)
    },
    reachBackTo: (after) =>
      start !== undefined && after.lineage === lineage && after.id >= start && after.id <= headId(),
    next(after) {
      let low = 0
      let high = entries.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((entries[middle] as Frames).last > after) high = middle
        else low = middle + 1
      }
      return entries[low]
    },
  }
}
