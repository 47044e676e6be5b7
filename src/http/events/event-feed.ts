import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { ShopEvent } from '../../contract/event.ts'
import type { Events } from '../../inventory/events.ts'

/** Somebody who follows the events. Told of each once, in their order. */
export interface EventReader {
  /** The id of the last event that it was told of. */
  after: bigint
  tell(events: readonly ShopEvent[]): void
  /** Resolves once it can take more, in a later turn of the event loop: to false when it wants no more. */
  ready(): Promise<boolean>
}

export interface EventFeed {
  /**
   * Tells a reader of everything after `reader.after`: what happened up to now, as fast as it can take it, then what
   * happens, as it happens. Resolves once it is up to date. It stays until it leaves.
   */
  follow(reader: EventReader): Promise<void>
  leave(reader: EventReader): void
  readonly readers: number
  /** Tells nobody of anything any more. */
  close(): void
}

/** In milliseconds. What was committed elsewhere is not announced, so it has to be looked for. */
const lookEvery = 100
const pageSize = 100

/**
 * Looks for new events once for all readers, however many there are, and only while there are any. Works across workers
 * and instances, since it reads what they committed; and through any pooler, since it needs no connection of its own.
 */
export function eventFeed(events: Events): EventFeed {
  const readers = new Set<EventReader>()
  /** The last event that those in `readers` were told of. */
  let head = 0n
  let looking = false
  const closing = new AbortController()

  async function look(): Promise<void> {
    looking = true
    while (readers.size > 0 && !closing.signal.aborted) {
      // A storage that cannot be read now may be in a moment; readers are still connected, and miss nothing.
      const more = await lookOnce().catch(() => false)
      // Even in a rush: what readers are told has to leave before they are told more.
      await (more ? turn() : sleep(lookEvery))
    }
    looking = false
  }

  async function lookOnce(): Promise<boolean> {
    const { items, more } = await events.list(pageSize, head)
    const last = items.at(-1)
    if (last === undefined) return false
    head = last.id
    for (const reader of readers) tell(reader, items)
    return more
  }

  return {
    async follow(reader) {
      // On its own until it has reached the others; then nothing comes between the last look and joining them.
      while (!closing.signal.aborted && (await reader.ready())) {
        const before = head
        const page = await events.list(pageSize, reader.after)
        tell(reader, page.items)
        if (page.more || head !== before) continue
        if (!looking) head = reader.after
        readers.add(reader)
        if (!looking) void look()
        return
      }
    },
    leave: (reader) => void readers.delete(reader),
    get readers() {
      return readers.size
    },
    close() {
      closing.abort()
      readers.clear()
    },
  }
}

function tell(reader: EventReader, items: readonly ShopEvent[]): void {
  const news =
    items[0] !== undefined && items[0].id > reader.after ? items : items.filter(({ id }) => id > reader.after)
  const last = news.at(-1)
  if (last === undefined) return
  reader.after = last.id
  reader.tell(news)
}
