import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../../contract/position.ts'
import type { Events } from '../../inventory/events.ts'
import { bytesAfter, encodeFrames, type Frames } from './frames.ts'
import { pastFrames } from './past-frames.ts'
import { recentFrames } from './recent-frames.ts'

/** Somebody who follows the events. Sent each once, in their order. */
export interface EventReader {
  /** The position of the last event that it was sent. */
  after: Position
  canTake(): boolean
  /** `bytes` are those of `frames` that it was not sent yet. */
  send(frames: Frames, bytes: Buffer): void
  /** Resolves once it can take more, to false when it has left. */
  writable(): Promise<boolean>
  /** Called when it would miss events, and when they cannot be read: let its client come back, and learn which. */
  end(reason: 'missed' | 'unavailable'): void
}

export interface EventFeed {
  /** Sends a reader every event after `reader.after`, those of the past as fast as it takes them, until it leaves. */
  follow(reader: EventReader): void
  leave(reader: EventReader): void
  /** Sends nobody anything any more. */
  close(): void
}

/** What was committed elsewhere is not announced, so it has to be looked for. */
const lookIntervalMs = 100
const maxNewEvents = 100
/** How many readers that catch up are served in one turn of the event loop. */
const maxCatchingUpPerTurn = 8
/** After this long in one turn, other requests are answered before more streams are written to. */
const maxTurnMs = 5
const maxRecentBytes = 4 * 1024 * 1024
const maxPastBytes = 2 * 1024 * 1024

/**
 * Looks for new events once for all readers, however many there are, and only while there are any. Works across workers
 * and instances, since it reads what they committed; and through any pooler, since it needs no connection of its own.
 *
 * A reader that does not keep up holds nothing but what it was sent: it goes on from the recent events or, when it has
 * fallen behind those, from the storage.
 */
export function eventFeed(events: Events, source: string): EventFeed {
  const readers = new Set<EventReader>()
  /** Those that were sent everything up to the head of `recent`. */
  const upToDate = new Set<EventReader>()
  const recent = recentFrames(maxRecentBytes)
  const readPast = pastFrames(events, source, maxPastBytes)
  const inTurn = limitPerTurn(maxCatchingUpPerTurn)
  let isLooking = false
  let looking: Promise<boolean> | undefined
  const closing = new AbortController()

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    while (readers.size > 0 && !closing.signal.aborted) {
      // A storage that cannot be read now may be in a moment; readers are still connected, and miss nothing.
      const isMore = recent.isOpen && (await lookOnce().catch(() => false))
      await (isMore ? nextTurn() : pause())
    }
    isLooking = false
    recent.close()
  }

  /** Brings `recent` up to date. Resolves to whether there is more. */
  function lookOnce(): Promise<boolean> {
    looking ??= readNew().finally(() => (looking = undefined))
    return looking
  }

  async function readNew(): Promise<boolean> {
    const { id, history } = recent.head
    const page = await events.list(maxNewEvents, id, history)
    // Closed meanwhile, and perhaps opened somewhere else.
    if (!recent.isOpen || recent.head.id !== id) return false
    if (page.missed) {
      recent.close()
      for (const reader of upToDate) reader.end('missed')
      return false
    }
    recent.add(encodeFrames(page, source), page.history)
    if (page.items.length === 0) return false
    await sendToAll()
    recent.trim()
    return page.more
  }

  async function sendToAll(): Promise<void> {
    let turnStarted = performance.now()
    for (const reader of upToDate) {
      if (!sendRecent(reader)) {
        upToDate.delete(reader)
        reader.after = { id: reader.after.id, history: recent.head.history }
        void catchUp(reader)
      }
      if (performance.now() - turnStarted < maxTurnMs) continue
      await nextTurn()
      turnStarted = performance.now()
    }
  }

  /** Returns whether the reader took everything. */
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
        await inTurn(async () => {
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
    const { frames, isLast, missed, history } = await readPast(reader.after)
    if (missed) return reader.end('missed')
    reader.after = { id: reader.after.id, history }
    if (isLast && !recent.isOpen) {
      recent.open(reader.after, frames)
      void look()
      return
    }
    for (const each of frames) {
      if (!reader.canTake()) return
      if (each.last > reader.after.id) send(reader, each)
    }
    if (!isLast || !recent.isOpen || recent.reachBackTo(reader.after)) return
    // It is ahead of `recent`, or knows of a newer history.
    await lookOnce().catch(() => false)
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
    close() {
      closing.abort()
      readers.clear()
      upToDate.clear()
    },
  }
}

function pause(): Promise<void> {
  return sleep(lookIntervalMs, undefined, { ref: false })
}

function send(reader: EventReader, frames: Frames): void {
  const bytes = bytesAfter(frames, reader.after.id)
  reader.after = { id: frames.last, history: frames.history }
  reader.send(frames, bytes)
}

/** Runs work of which each piece may be synchronous: at most `max` pieces in one turn of the event loop. */
function limitPerTurn(max: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = []
  let free = max

  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    await nextTurn()
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
