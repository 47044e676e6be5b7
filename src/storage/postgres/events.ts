import type { Events } from '../../inventory/events.ts'
import { type EventRow, isGap, toEvent } from '../shared/event-row.ts'
import type { Statement } from './database.ts'
import { toPage } from '../shared/page.ts'
import type { Readers } from './readers.ts'
import type { Writer } from './writer.ts'

/** With every event the latest id, also when there is none: one statement sees both at the same moment. */
const page: Statement = {
  name: 'events',
  text: `
    SELECT last, page.* FROM counters LEFT JOIN (
      SELECT id, type, subject, at, data FROM events WHERE id > $1 ORDER BY id LIMIT $2
    ) AS page ON true
    WHERE counters.name = 'events' ORDER BY page.id`,
}
const highest: Statement = { name: 'latest_event', text: "SELECT last FROM counters WHERE name = 'events'" }

/** Read from the primary: whoever follows the events is to hear of a change as soon as its answer is out. */
export function postgresEvents({ read }: Readers, writer: Writer): Events {
  return {
    async list(limit, after) {
      const { rows } = await read(page, [after ?? 0n, limit + 1])
      const found = rows as [latest: bigint, ...([null] | EventRow)][]
      const latest = found[0]?.[0] ?? 0n
      const events = found.flatMap(([, ...event]) => (event[0] === null ? [] : [event]))
      const missed = after !== undefined && isGap(after, events[0]?.[0], latest)
      return { ...toPage(events, limit, toEvent), missed }
    },

    async latest() {
      const { rows } = await read(highest)
      return (rows[0] as [bigint])[0]
    },

    forget: (before, now) => writer.write('forgetEvents', { before, now }),
  }
}
