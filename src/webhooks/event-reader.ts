import { encodeEvent, type ShopEvent } from '../contract/event.ts'
import type { EventName } from '../contract/webhook.ts'
import { loopSteps } from '../inventory/loop-steps.ts'
import type { DispatcherStorage } from './dispatcher-storage.ts'

/** An event for endpoints, encoded when the first of them needs it. */
export interface QueuedEvent {
  id: bigint
  lineage?: string | undefined
  type: EventName
  at: number
  body(): string
}

/** Reads the feed once for all endpoints. An endpoint that is behind reads it again. */
export interface EventReader {
  /** The latest event that endpoints may get. */
  readonly head: bigint
  /** The lineage of the head, and of every position before it. */
  readonly lineage: string | undefined
  /** Begins after the latest event. */
  begin(): Promise<void>
  /** Events after the head, in order; undefined if some were lost: the database has another history now. */
  readNew(): Promise<NewEvents | undefined>
  /** Moves the head to the end of what was read. */
  moveTo(end: NewEvents): void
  /**
   * The first event after `position`, up to the head, that is wanted, and the position before it. Without one the
   * position is the head at the time of the call. Events that have expired are skipped.
   */
  findNext(position: bigint, isWanted: (event: QueuedEvent) => boolean): Promise<Found>
}

export interface NewEvents {
  events: QueuedEvent[]
  head: bigint
  lineage: string | undefined
}

export interface Found {
  position: bigint
  event?: QueuedEvent
}

/** Of new events, and of earlier ones unless they are large. */
const maxPageEvents = 100
const maxPageBytes = 256 * 1024
const maxCachedBytes = 4 * 1024 * 1024

/** Events from one on that an endpoint needs. */
interface EarlierPage {
  events: QueuedEvent[]
  /** All events up to this id are in the page or before it, except those that cannot be read. */
  end: bigint
}

export function eventReader(events: DispatcherStorage['events'], source: string): EventReader {
  /** The events that were read last, in the order of reading. */
  const cache = new Map<bigint, QueuedEvent & { bytes: number }>()
  /** One earlier page is read after the other: endpoints may be behind at many places, and events may be large. */
  let lastLoad: Promise<unknown> = Promise.resolve()
  let pageSize = maxPageEvents
  let beginnings = 0
  let cachedBytes = 0
  let head = 0n
  let lineage: string | undefined

  function toQueued(event: ShopEvent, isCurrent = true): QueuedEvent | undefined {
    if (event.isUnreadable) return undefined
    let encoded: string | undefined
    const { id, lineage, type, at } = event
    const queued = {
      id,
      lineage,
      type: `petstore.${type}` as const,
      at,
      body: () => (encoded ??= encodeEvent(event, source)),
    }
    const bytes = bytesOf(event)
    if (isCurrent && !cache.has(id)) {
      cache.set(id, { ...queued, bytes })
      cachedBytes += bytes
    }
    for (const [oldest, { bytes: freed }] of cache) {
      if (cachedBytes <= maxCachedBytes) break
      cache.delete(oldest)
      cachedBytes -= freed
    }
    return queued
  }

  function load(id: bigint): Promise<EarlierPage> {
    const page = lastLoad.then(() => readFrom(id))
    lastLoad = page.catch(() => undefined)
    return page
  }

  /** Another endpoint may have read the event in the meantime. */
  async function readFrom(id: bigint): Promise<EarlierPage> {
    const cached = cache.get(id)
    if (cached !== undefined) return { events: [cached], end: id }
    const end = id - 1n + BigInt(pageSize)
    const beginning = beginnings
    const { items } = await events.list(pageSize, id - 1n)
    adaptPageSize(items)
    // A page of a history that was lost meanwhile is not kept.
    return { events: items.flatMap((event) => toQueued(event, beginning === beginnings) ?? []), end }
  }

  /** The next page has about `maxPageBytes`, if its events are as large as these. */
  function adaptPageSize(items: readonly ShopEvent[]): void {
    const bytes = items.reduce((sum, event) => sum + bytesOf(event), 0)
    const fitting = Math.floor((maxPageBytes * items.length) / bytes)
    if (bytes > 0) pageSize = Math.min(Math.max(fitting, 1), maxPageEvents)
  }

  async function findNext(after: bigint, isWanted: (event: QueuedEvent) => boolean): Promise<Found> {
    const end = head
    const steps = loopSteps()
    let position = after
    while (position < end) {
      const cached = cache.get(position + 1n)
      const page = cached === undefined ? await load(position + 1n) : { events: [cached], end }
      const next = page.events.filter(({ id }) => id <= end)
      const event = next.find(isWanted)
      if (event !== undefined) return { position: event.id - 1n, event }
      // An unreadable event is in no page: the position passes it with its page.
      position = next.at(-1)?.id ?? page.end
      if (steps.isOver()) await steps.next()
    }
    return { position: end > after ? end : after }
  }

  return {
    get head() {
      return head
    },
    get lineage() {
      return lineage
    },
    async begin() {
      const latest = await events.latest()
      cache.clear()
      beginnings++
      cachedBytes = 0
      head = latest.id
      lineage = latest.lineage
    },
    async readNew() {
      const page = await events.list(maxPageEvents, head, lineage)
      if (page.missed) return undefined
      return {
        events: page.items.flatMap((event) => toQueued(event) ?? []),
        head: page.items.at(-1)?.id ?? head,
        lineage: page.lineage ?? lineage,
      }
    },
    moveTo(end) {
      head = end.head
      lineage = end.lineage
    },
    findNext,
  }
}

/** What an event takes in memory, about. */
function bytesOf({ data }: ShopEvent): number {
  return data.length * 2 + 1_000
}
