import type { DatabaseSync } from 'node:sqlite'
import type { Events } from '../../../inventory/events.ts'
import { loopSteps } from '../../../inventory/loop-steps.ts'
import { endBackwards, type EventRows, endOfPage, toEventPage, toPageBackwards } from '../../shared/reads/event-page.ts'
import type { ListedEventRow, ReadData } from '../../shared/reads/large-events.ts'
import { lineageOfEventSql } from '../../shared/rows/event-row.ts'
import { chooseEvents } from '../../shared/reads/filters.ts'
import { type ListEvents, withEventFilters } from '../../shared/reads/find-events.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { prepareOneRow, prepareRows, readsOf } from '../connection/database.ts'
import type { HoldState } from '../reads/held-states.ts'
import { decodeText, inlineText, isLargeText, textBytes } from '../reads/large-texts.ts'
import { sqliteLineage } from '../schema/lineage.ts'
import type { Writer } from '../writes/writer.ts'

export function sqliteEvents(reader: DatabaseSync, writer: Writer, hold: HoldState): Events {
  const newest = eventReads(reader)
  const held = new WeakMap<DatabaseSync, EventReads>()

  function withFilters(sort: 'list' | 'listBackwards'): Events['list'] {
    return withEventFilters({
      list: newest[sort],
      atOneState: (search, caller) =>
        hold((db) => {
          const reads = held.get(db) ?? eventReads(db)
          held.set(db, reads)
          return search(reads[sort])
        }, caller),
      readData: newest.readData,
    })
  }

  return {
    list: withFilters('list'),
    listBackwards: withFilters('listBackwards'),
    latest: newest.latest,
    forget: (before, now, upTo) => writer.write('forgetEvents', { before, now, upTo }),
  }
}

interface EventReads extends Pick<Events, 'latest'> {
  list: ListEvents
  listBackwards: ListEvents
  readData: ReadData
}

/** The reads of events on one connection. */
function eventReads(reader: DatabaseSync): EventReads {
  const read = readsOf(reader)
  const checkPosition = sqliteLineage(reader)
  const pages = preparePages(reader, ascending)
  const pagesBackwards = preparePages(reader, descending)
  const dataOf = prepareRows<[Uint8Array]>(reader, `SELECT ${textBytes('data')} FROM events WHERE id = ?`)
  const following = prepareOneRow<[bigint | null]>(reader, 'SELECT min(id) FROM events WHERE id > ?')
  // AUTOINCREMENT stores the highest assigned id here.
  const highest = prepareRows<[bigint]>(reader, "SELECT seq FROM sqlite_sequence WHERE name = 'events'")

  function latestId(): bigint {
    return highest.get()?.[0] ?? 0n
  }

  function nextId(after: bigint): bigint | undefined {
    return following.get(after)[0] ?? undefined
  }

  /** In steps of the event loop. */
  const readData: ReadData = async (ids) => {
    const steps = loopSteps()
    const found = new Map<bigint, string>()
    for (const id of ids) {
      const data = await read(() => dataOf.get(id))
      if (data === undefined) return found
      found.set(id, decodeText(data[0]))
      if (steps.isOver()) await steps.next()
    }
    return found
  }

  const list: ListEvents = async (limit, after, lineage, subject) => {
    const { position, ...found } = await read(() => {
      // Read before the page: an event committed in between must not look like a deleted one.
      const latest = latestId()
      const { name, values } = chooseEvents(subject)
      const rows = pages[name].all(...values, after ?? 0n, limit + 1)
      const next = name === 'all' ? rows[0]?.[0] : nextId(after ?? 0n)
      const found: EventRows = { rows, limit, after, next, latest }
      return {
        ...found,
        position: checkPosition({ after: { id: after ?? 0n, lineage }, last: endOfPage(found), needsNewest: true }),
      }
    })
    return toEventPage(found, position)
  }

  const listBackwards: ListEvents = async (limit, before = 0n, lineage, subject) => {
    const { rows, position } = await read(() => {
      const { name, values } = chooseEvents(subject)
      const rows = pagesBackwards[name].all(...values, boundOf('-id', before), limit + 1)
      const last = endBackwards(rows, limit)
      return { rows, position: checkPosition({ after: { id: before, lineage }, last }) }
    })
    return toPageBackwards(rows, limit, position)
  }

  return {
    list,
    listBackwards,
    readData,
    latest: () =>
      read(() => {
        const id = latestId()
        return { id, lineage: checkPosition({ after: { id: 0n }, last: id, needsNewest: true }).lineage }
      }),
  }
}

/** One statement per filter, each with an index in page order. */
function preparePages(reader: DatabaseSync, { beyond, order }: Direction) {
  const dataBytes = `iif(${isLargeText('data')}, octet_length(data), NULL)`
  const values = `id, type, subject, at, ${inlineText('data')}, author, ${dataBytes}, ${lineageOfEventSql('events.id')}`
  const columns = `SELECT ${values} FROM events`
  const page = `id ${beyond} ? ORDER BY id${order} LIMIT (? + 0)`
  return {
    all: prepareRows<ListedEventRow>(reader, `${columns} WHERE ${page}`),
    pet: prepareRows<ListedEventRow>(reader, `${columns} WHERE pet_id = ? AND ${page}`),
    order: prepareRows<ListedEventRow>(reader, `${columns} WHERE type GLOB 'order.*' AND subject = ? AND ${page}`),
  }
}
