import type { DatabaseSync } from 'node:sqlite'
import type { ShopEvent } from '../../../contract/event.ts'
import type { EventPage, Events } from '../../../inventory/events.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { endBackwards, type EventRows, endOfPage, toEventPage, toPageBackwards } from '../../shared/reads/event-page.ts'
import type { EventRow } from '../../shared/rows/event-row.ts'
import { chooseEvents } from '../../shared/reads/filters.ts'
import { type ListEvents, withEventFilters } from '../../shared/reads/find-events.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { prepareRows, readsOf } from '../connection/database.ts'
import { decodeText, inlineText, textBytes } from '../reads/large-texts.ts'
import type { JudgePage } from '../schema/lineage.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteEvents(reader: DatabaseSync, judge: JudgePage, writer: Writer): Events {
  const read = readsOf(reader)
  const pages = preparePages(reader, ascending)
  const pagesBackwards = preparePages(reader, descending)
  const dataOf = prepareRows(reader, `SELECT ${textBytes('data')} FROM events WHERE id = ?`)
  const following = prepareRows(reader, 'SELECT min(id) FROM events WHERE id > ?')
  // AUTOINCREMENT stores the highest assigned id here.
  const highest = prepareRows(reader, "SELECT seq FROM sqlite_sequence WHERE name = 'events'")

  function latestId(): bigint {
    return (highest.get() as [bigint] | undefined)?.[0] ?? 0n
  }

  function nextId(after: bigint): bigint | undefined {
    return (following.get(after) as unknown as [bigint | null])[0] ?? undefined
  }

  /** Adds the data of large events, which the rows of a page lack. */
  function complete(page: EventPage): EventPage | Promise<EventPage> {
    return page.items.every(hasData) ? page : addLargeData(page)
  }

  /** In steps of the event loop. Events that have expired meanwhile are left out: they are the first ones of the page. */
  async function addLargeData(page: EventPage): Promise<EventPage> {
    const steps = loopSteps()
    const items: ShopEvent[] = []
    for (const event of page.items) {
      const row = hasData(event) ? undefined : await read(() => dataOf.get(event.id) as [Uint8Array] | undefined)
      if (row !== undefined) event.data = decodeText(row[0])
      if (hasData(event)) items.push(event)
      if (steps.isOver()) await steps.next()
    }
    return { ...page, items }
  }

  const list: ListEvents = (limit, after, history, subject) =>
    read(() => {
      // Read before the page: an event committed in between must not look like a deleted one.
      const latest = latestId()
      const { name, values } = chooseEvents(subject)
      const rows = pages[name].all(...values, after ?? 0n, limit + 1) as unknown as EventRow[]
      const next = name === 'all' ? rows[0]?.[0] : nextId(after ?? 0n)
      const found: EventRows = { rows, limit, after, next, latest }
      const position = { id: after ?? 0n, history }
      const verdict = judge({ kind: 'events', after: position, last: endOfPage(found), needsNewest: true })
      return complete(toEventPage(found, verdict))
    })

  const listBackwards: ListEvents = (limit, before = 0n, history, subject) =>
    read(() => {
      const { name, values } = chooseEvents(subject)
      const rows = pagesBackwards[name].all(...values, boundOf('-id', before), limit + 1) as unknown as EventRow[]
      const verdict = judge({ kind: 'events', after: { id: before, history }, last: endBackwards(rows, limit) })
      return complete(toPageBackwards(rows, limit, verdict))
    })

  return {
    list: withEventFilters(list),
    listBackwards: withEventFilters(listBackwards),

    latest: () =>
      read(() => {
        const id = latestId()
        return { id, history: judge({ kind: 'events', after: { id: 0n }, last: id, needsNewest: true }).history }
      }),

    forget: (before, now) => writer.write('forgetEvents', { before, now }),
  }
}

function hasData({ data }: ShopEvent): boolean {
  return (data as string | null) !== null
}

/** One statement per filter, each with an index in page order. */
function preparePages(reader: DatabaseSync, { beyond, order }: Direction) {
  const columns = `SELECT id, type, subject, at, ${inlineText('data')}, author FROM events`
  const page = `id ${beyond} ? ORDER BY id${order} LIMIT (? + 0)`
  return {
    all: prepareRows(reader, `${columns} WHERE ${page}`),
    pet: prepareRows(reader, `${columns} WHERE pet_id = ? AND ${page}`),
    order: prepareRows(reader, `${columns} WHERE type GLOB 'order.*' AND subject = ? AND ${page}`),
  }
}
