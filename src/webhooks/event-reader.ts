import { encodeEvent, type ShopEvent } from '../contract/event.ts'
import type { EventName } from '../contract/webhook.ts'
import { loopSteps } from '../inventory/loop-steps.ts'
import type { DispatcherStorage } from './dispatcher-storage.ts'

/** An event for endpoints, encoded when the first of them needs it. */
export interface QueuedEvent {
  id: bigint
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

const pageSize = 100
const maxCachedBytes = 4 * 1024 * 1024

export function eventReader(events: DispatcherStorage['events'], source: string): EventReader {
  /** The events that were read last, in the order of reading. */
  const cache = new Map<bigint, QueuedEvent & { bytes: number }>()
  let loading = new Map<bigint, Promise<QueuedEvent[]>>()
  let cachedBytes = 0
  let head = 0n
  let lineage: string | undefined

  function toQueued(event: ShopEvent, isCurrent = true): QueuedEvent | undefined {
    if (event.isUnreadable) return undefined
    let encoded: string | undefined
    const { id, type, at } = event
    const queued = { id, type: `petstore.${type}` as const, at, body: () => (encoded ??= encodeEvent(event, source)) }
    const bytes = event.data.length * 2 + 1_000
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

  /** A page that has the event, shared by all that need one of its events at this moment. */
  function load(id: bigint): Promise<QueuedEvent[]> {
    const start = ((id - 1n) / BigInt(pageSize)) * BigInt(pageSize)
    const pages = loading
    let page = pages.get(start)
    if (page === undefined) {
      page = events
        .list(pageSize, start)
        // A page of a history that was lost meanwhile is not kept.
        .then(({ items }) => items.flatMap((event) => toQueued(event, pages === loading) ?? []))
        .finally(() => pages.delete(start))
      pages.set(start, page)
    }
    return page
  }

  async function findNext(after: bigint, isWanted: (event: QueuedEvent) => boolean): Promise<Found> {
    const end = head
    const steps = loopSteps()
    let position = after
    while (position < end) {
      const cached = cache.get(position + 1n)
      const page = cached === undefined ? await load(position + 1n) : [cached]
      const next = page.filter(({ id }) => id > position && id <= end)
      const event = next.find(isWanted)
      if (event !== undefined) return { position: event.id - 1n, event }
      // An unreadable event is in no page: the position passes it with its page.
      position = next.at(-1)?.id ?? passPage(position, end)
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
      loading = new Map()
      cachedBytes = 0
      head = latest.id
      lineage = latest.lineage
    },
    async readNew() {
      const page = await events.list(pageSize, head, lineage)
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

/** The end of the page of the event after `position`. */
function passPage(position: bigint, end: bigint): bigint {
  const next = (position / BigInt(pageSize) + 1n) * BigInt(pageSize)
  return next < end ? next : end
}
