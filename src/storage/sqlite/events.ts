import type { DatabaseSync } from 'node:sqlite'
import type { EventType, ShopEvent } from '../../contract/event.ts'
import type { Events } from '../../inventory/events.ts'
import { prepareRows, readsOf } from './database.ts'
import { toPage } from '../page.ts'
import type { Writer } from './writer.ts'

type EventRow = [id: bigint, type: EventType, subject: bigint, at: bigint, data: string]

export function sqliteEvents(reader: DatabaseSync, writer: Writer): Events {
  const read = readsOf(reader)
  const page = prepareRows(reader, 'SELECT id, type, subject, at, data FROM events WHERE id > ? ORDER BY id LIMIT ?')
  // Where AUTOINCREMENT keeps the highest id ever given.
  const highest = prepareRows(reader, "SELECT seq FROM sqlite_sequence WHERE name = 'events'")

  function latest(): bigint {
    return (highest.get() as [bigint] | undefined)?.[0] ?? 0n
  }

  return {
    list: (limit, after) =>
      read(() => {
        // Before the page: an event that is committed in between must not look like one that was let go.
        const last = latest()
        const rows = page.all(after ?? 0n, limit + 1) as unknown as EventRow[]
        const missed = after !== undefined && isGap(after, rows[0]?.[0], last)
        return { ...toPage(rows, limit, toEvent), missed }
      }),

    latest: () => read(latest),

    forget: (before) => writer.write('forgetEvents', before),
  }
}

// Ids have no gaps: when the first one after `after` is not the next one, those in between are not kept any more.
function isGap(after: bigint, first: bigint | undefined, latest: bigint): boolean {
  const next = after < 0n ? 1n : after + 1n
  return first === undefined ? next <= latest : next < first
}

function toEvent([id, type, subject, at, data]: EventRow): ShopEvent {
  return { id, type, subject, at: Number(at), data }
}
