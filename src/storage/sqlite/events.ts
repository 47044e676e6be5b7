import type { DatabaseSync } from 'node:sqlite'
import type { Events } from '../../inventory/events.ts'
import { type EventRows, endOfPage, toEventPage, toPageBackwards } from '../shared/event-page.ts'
import { eventColumns, type EventRow } from '../shared/event-row.ts'
import { boundOf, lastOfPage } from '../shared/page.ts'
import { prepareRows, readsOf } from './database.ts'
import type { JudgePage } from './lineage.ts'
import type { Writer } from './writer.ts'

export function sqliteEvents(reader: DatabaseSync, judge: JudgePage, writer: Writer): Events {
  const read = readsOf(reader)
  const columns = `SELECT ${eventColumns} FROM events`
  const page = prepareRows(reader, `${columns} WHERE id > ? ORDER BY id LIMIT (? + 0)`)
  const pageBackwards = prepareRows(reader, `${columns} WHERE id < ? ORDER BY id DESC LIMIT (? + 0)`)
  // AUTOINCREMENT stores the highest assigned id here.
  const highest = prepareRows(reader, "SELECT seq FROM sqlite_sequence WHERE name = 'events'")

  function latestId(): bigint {
    return (highest.get() as [bigint] | undefined)?.[0] ?? 0n
  }

  return {
    list: (limit, after, history) =>
      read(() => {
        // Read before the page: an event committed in between must not look like a deleted one.
        const latest = latestId()
        const rows = page.all(after ?? 0n, limit + 1) as unknown as EventRow[]
        const found: EventRows = { rows, limit, after, latest }
        const position = { id: after ?? 0n, history }
        const verdict = judge({ kind: 'events', after: position, last: endOfPage(found), needsNewest: true })
        return toEventPage(found, verdict)
      }),

    listBackwards: (limit, before = 0n, history) =>
      read(() => {
        const rows = pageBackwards.all(boundOf('-id', before), limit + 1) as unknown as EventRow[]
        const verdict = judge({ kind: 'events', after: { id: before, history }, last: lastOfPage(rows, limit) })
        return toPageBackwards(rows, limit, verdict)
      }),

    latest: () =>
      read(() => {
        const id = latestId()
        return { id, history: judge({ kind: 'events', after: { id: 0n }, last: id, needsNewest: true }).history }
      }),

    forget: (before, now) => writer.write('forgetEvents', { before, now }),
  }
}
