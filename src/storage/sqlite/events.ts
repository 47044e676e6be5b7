import type { DatabaseSync } from 'node:sqlite'
import type { Events } from '../../inventory/events.ts'
import { type EventRow, isGap, toEvent } from '../shared/event-row.ts'
import { prepareRows, readsOf } from './database.ts'
import { toPage } from '../shared/page.ts'
import type { Writer } from './writer.ts'

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

    forget: (before, now) => writer.write('forgetEvents', { before, now }),
  }
}
