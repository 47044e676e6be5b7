import type { Events } from '../../inventory/events.ts'
import { type EventRows, endOfPage, toEventPage, toPageBackwards } from '../shared/event-page.ts'
import { eventColumns, type EventRow } from '../shared/event-row.ts'
import { boundOf, lastOfPage } from '../shared/page.ts'
import { counter } from './counters.ts'
import type { Statement } from './database.ts'
import type { Readers } from './readers.ts'
import type { Writer } from './writer.ts'

/** Each row has the latest id, also if there is no event: one statement sees both at the same moment. */
const page: Statement = {
  name: 'events',
  text: `
    SELECT last, page.* FROM (${counter('events')}) AS latest LEFT JOIN (
      SELECT ${eventColumns} FROM events WHERE id > $1 ORDER BY id LIMIT $2
    ) AS page ON true ORDER BY page.id`,
}
const pageBackwards: Statement = {
  name: 'events_backwards',
  text: `SELECT ${eventColumns} FROM events WHERE id < $1 ORDER BY id DESC LIMIT $2`,
}
const highest: Statement = { name: 'latest_event', text: counter('events') }

/** Reads from the primary, so that a change is visible as soon as it is acknowledged. */
export function postgresEvents({ admit, readPage }: Readers, writer: Writer): Events {
  return {
    async list(limit, after, history) {
      const toFound = (rows: unknown[][]): EventRows => {
        const found = rows as [latest: bigint, ...([null] | EventRow)][]
        const events = found.flatMap(([, ...event]) => (event[0] === null ? [] : [event]))
        return { rows: events, limit, after, latest: found[0]?.[0] ?? 0n }
      }
      const { rows, verdict } = await admit(() =>
        readPage({
          statement: page,
          values: [after ?? 0n, limit + 1],
          kind: 'events',
          after: { id: after ?? 0n, history },
          lastOf: (found) => endOfPage(toFound(found)),
          needsNewest: true,
        }),
      )
      return toEventPage(toFound(rows), verdict)
    },

    async listBackwards(limit, before = 0n, history) {
      const { rows, verdict } = await admit(() =>
        readPage({
          statement: pageBackwards,
          values: [boundOf('-id', before), limit + 1],
          kind: 'events',
          after: { id: before, history },
          lastOf: (found) => lastOfPage(found, limit),
        }),
      )
      return toPageBackwards(rows as EventRow[], limit, verdict)
    },

    async latest() {
      const { rows, verdict } = await admit(() =>
        readPage({
          statement: highest,
          values: [],
          kind: 'events',
          after: { id: 0n },
          lastOf: ([row]) => (row as [bigint])[0],
          needsNewest: true,
        }),
      )
      return { id: (rows[0] as [bigint])[0], history: verdict.history }
    },

    forget: (before, now) => writer.write('forgetEvents', { before, now }),
  }
}
