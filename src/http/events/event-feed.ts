import { setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../../contract/position.ts'
import type { Events } from '../../inventory/events.ts'
import { loopSteps, nextLoopTick } from '../../inventory/loop-steps.ts'
import { bytesAfter, encodeFrames, type Frames } from './frames.ts'
import { pastFrames } from './past-frames.ts'
import { recentFrames } from './recent-frames.ts'

/** A follower of the events. It gets each event once, in order. */
export interface EventReader {
  /** The position of the last sent event. */
  after: Position
  canTake(): boolean
  /** `bytes` is the unsent part of `frames`. */
  send(frames: Frames, bytes: Buffer): void
  /** Resolves when it can take more; false if it has left. */
  writable(): Promise<boolean>
  /** Called if it would miss events, or if they cannot be read. Its client reconnects and learns which. */
  end(reason: 'missed' | 'unavailable'): void
}

export interface EventFeed {
  /** Sends a reader every event after `reader.after` until it leaves; past events as fast as it takes them. */
  follow(reader: EventReader): void
  leave(reader: EventReader): void
  /** The number of events that the reader furthest behind has not been sent. Rejects if the latest cannot be read. */
  lag(): Promise<number>
  /** Stops sending. */
  close(): void
}

/** Commits of other processes are not announced, so events are polled. */
const pollIntervalMs = 100
const maxNewEvents = 100
/** Readers that catch up per tick of the event loop. */
const maxCatchingUpPerTick = 8
const maxRecentBytes = 4 * 1024 * 1024
const maxPastBytes = 2 * 1024 * 1024

/**
 * Polls for new events once for all readers, and only while there are any. It reads what was committed, so it works
 * across workers and instances, and through any pooler.
 * A slow reader holds only what it was sent. It continues from the recent events or, if it is further behind, from the
 * storage.
 */
export function eventFeed(events: Events, source: string): EventFeed {
  const readers = new Set<EventReader>()
  /** The readers that have everything up to the head of `recent`. */
  const upToDate = new Set<EventReader>()
  const recent = recentFrames(maxRecentBytes)
  const readPast = pastFrames(events, source, maxPastBytes)
  const perTick = limitPerTick(maxCatchingUpPerTick)
  let isPolling = false
  let reading: Promise<boolean> | undefined
  const closing = new AbortController()

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (readers.size > 0 && !closing.signal.aborted) {
      // A failed read may succeed in a moment; readers stay connected and miss nothing.
      const isMore = recent.isOpen && (await pollOnce().catch(() => false))
      await (isMore ? nextLoopTick() : pause())
    }
    isPolling = false
    recent.close()
  }

  /** Updates `recent`. Resolves to whether there are more events. */
  function pollOnce(): Promise<boolean> {
    reading ??= readNew().finally(() => (reading = undefined))
    return reading
  }

  async function readNew(): Promise<boolean> {
    const { id, lineage } = recent.head
    const page = await events.list(maxNewEvents, id, lineage)
    const frames = await encodeFrames(page, source)
    // `recent` may have been closed and reopened at another position.
    if (!recent.isOpen || recent.head.id !== id) return false
    if (page.missed) {
      recent.close()
      for (const reader of upToDate) reader.end('missed')
      return false
    }
    recent.add(frames, page.lineage)
    if (page.items.length === 0) return false
    await sendToAll()
    recent.trim()
    return page.more
  }

  async function sendToAll(): Promise<void> {
    const steps = loopSteps()
    for (const reader of upToDate) {
      if (!sendRecent(reader)) {
        upToDate.delete(reader)
        reader.after = { id: reader.after.id, lineage: recent.head.lineage }
        void catchUp(reader)
      }
      if (steps.isOver()) await steps.next()
    }
  }

  /** Whether the reader took everything. */
  function sendRecent(reader: EventReader): boolean {
    for (let frames = recent.next(reader.after.id); frames !== undefined; frames = recent.next(reader.after.id)) {
      if (!reader.canTake()) return false
      send(reader, frames)
    }
    return true
  }

  async function catchUp(reader: EventReader): Promise<void> {
    try {
      while ((await reader.writable()) && !closing.signal.aborted) {
        await perTick(async () => {
          if (!recent.reachBackTo(reader.after)) await sendPast(reader)
          else if (sendRecent(reader) && readers.has(reader)) upToDate.add(reader)
        })
        if (upToDate.has(reader)) return
      }
    } catch {
      reader.end('unavailable')
    }
  }

  async function sendPast(reader: EventReader): Promise<void> {
    const { frames, isLast, missed, lineage } = await readPast(reader.after)
    if (missed) return reader.end('missed')
    reader.after = { id: reader.after.id, lineage }
    if (isLast && !recent.isOpen) {
      recent.open(reader.after, frames)
      void poll()
      return
    }
    for (const each of frames) {
      if (!reader.canTake()) return
      if (each.last > reader.after.id) send(reader, each)
    }
    if (!isLast || !recent.isOpen || recent.reachBackTo(reader.after)) return
    // The reader is ahead of `recent`, or has a newer lineage.
    await pollOnce().catch(() => false)
    if (!recent.reachBackTo(reader.after)) await pause()
  }

  return {
    follow(reader) {
      readers.add(reader)
      void catchUp(reader)
    },
    leave(reader) {
      readers.delete(reader)
      upToDate.delete(reader)
    },
    async lag() {
      let oldest: bigint | undefined
      for (const { after } of readers) if (oldest === undefined || after.id < oldest) oldest = after.id
      if (oldest === undefined) return 0
      const { id } = await events.latest()
      // A reader may have been sent an event that was committed after the latest was read.
      return Math.max(Number(id - oldest), 0)
    },
    close() {
      closing.abort()
      readers.clear()
      upToDate.clear()
    },
  }
}

function pause(): Promise<void> {
  return sleep(pollIntervalMs, undefined, { ref: false })
}

function send(reader: EventReader, frames: Frames): void {
  const bytes = bytesAfter(frames, reader.after.id)
  reader.after = { id: frames.last, lineage: frames.lineage }
  reader.send(frames, bytes)
}

/** Runs at most `max` pieces of work per tick of the event loop; each may be synchronous. */
function limitPerTick(max: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = []
  let free = max

  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    await nextLoopTick()
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
