import type { Events } from '../../../inventory/events.ts'
import { endBackwards, type EventRows, endOfPage, toEventPage, toPageBackwards } from '../../shared/reads/event-page.ts'
import type { ListedEventRow, ReadData } from '../../shared/reads/large-events.ts'
import { eventColumns, lineageOfEventSql } from '../../shared/rows/event-row.ts'
import { chooseEvents } from '../../shared/reads/filters.ts'
import { type ListEvents, withEventFilters } from '../../shared/reads/find-events.ts'
import { ascending, boundOf, descending, type Direction } from '../../shared/reads/page.ts'
import { counter } from '../schema/counters.ts'
import { petOfEvent } from '../schema/events.ts'
import type { Statement } from '../connection/statement.ts'
import type { PrimaryReaders } from '../reads/readers.ts'
import type { EventReads } from '../reads/read.ts'
import type { Writer } from '../writes/writer.ts'

const isLarge = 'octet_length(data) > 1024'
const inlineColumns = eventColumns.replace('data', `CASE WHEN ${isLarge} THEN NULL ELSE data END AS data`)
const dataBytes = `CASE WHEN ${isLarge} THEN octet_length(data) END AS data_bytes`
const columns = `SELECT ${inlineColumns}, ${dataBytes}, ${lineageOfEventSql('events.id')} AS lineage FROM events`
const someData: Statement = { name: 'data_of_events', text: 'SELECT id, data FROM events WHERE id = ANY ($1::int8[])' }

/** One statement per filter, in an order that only its index has (see lists.ts). */
function pagesIn(suffix: string, { beyond, within, order }: Direction) {
  const about = (subject: string) =>
    `(${subject}, id) ${beyond} ($1, $2) AND ${subject} ${within} $1 ORDER BY ${subject}${order}, id${order} LIMIT $3`
  return {
    all: { name: `events${suffix}`, text: `${columns} WHERE id ${beyond} $1 ORDER BY id${order} LIMIT $2` },
    pet: { name: `events_of_pet${suffix}`, text: `${columns} WHERE ${about(petOfEvent)}` },
    order: { name: `events_of_order${suffix}`, text: `${columns} WHERE type LIKE 'order.%' AND ${about('subject')}` },
  } satisfies Record<string, Statement>
}

/**
 * Each row has the latest id and that of the next event, also if there is none on the page: one statement sees all of
 * them at the same moment. Without a filter the next event is the first of the page.
 */
function withGap({ name, text }: { name: string; text: string }, next: string): Statement {
  return {
    name,
    text: `
      SELECT last, ${next}, page.* FROM (${counter('events')}) AS latest LEFT JOIN (${text}) AS page ON true
        ORDER BY page.id`,
  }
}

const forwards = pagesIn('', ascending)
const nextStored = '(SELECT min(id) FROM events WHERE id > $2)'
const pages = {
  all: withGap(forwards.all, 'page.id'),
  pet: withGap(forwards.pet, nextStored),
  order: withGap(forwards.order, nextStored),
}
const pagesBackwards = pagesIn('_backwards', descending)
/** The statements with a filter. For a test of their plans. */
export const subjectPages = [pages.pet, pages.order, pagesBackwards.pet, pagesBackwards.order]
const highest: Statement = { name: 'latest_event', text: counter('events') }

export function postgresEvents(readers: PrimaryReaders, writer: Writer): Events {
  return {
    ...postgresEventReads(readers),
    forget: (before, now, upTo) => writer.write('forgetEvents', { before, now, upTo }),
  }
}

/** Reads from the primary, so that a change is visible as soon as it is acknowledged. */
export function postgresEventReads(readers: PrimaryReaders): Pick<Events, 'list' | 'listBackwards' | 'latest'> {
  const { countPending, readEvents, hold } = readers
  const newest = listsOf(readers)
  type Lists = typeof newest
  const readData: ReadData = async (ids) => new Map((await readers.read(someData, [ids])).rows as [bigint, string][])

  function withFilters(sort: keyof Lists): Events['list'] {
    return withEventFilters({
      list: newest[sort],
      atOneState: (search, caller) => countPending(() => hold((state) => search(listsOf(state)[sort]), caller)),
      readData,
    })
  }

  return {
    list: withFilters('list'),
    listBackwards: withFilters('listBackwards'),

    async latest() {
      const { rows, position } = await countPending(() =>
        readEvents({
          statement: highest,
          values: [],
          after: { id: 0n },
          lastOf: ([row]) => (row as [bigint])[0],
          needsNewest: true,
        }),
      )
      return { id: (rows[0] as [bigint])[0], lineage: position.lineage }
    },
  }
}

function listsOf({ countPending, readEvents }: EventReads): Record<'list' | 'listBackwards', ListEvents> {
  const list: ListEvents = async (limit, after, lineage, subject) => {
    const { name, values } = chooseEvents(subject)
    const toFound = (rows: unknown[][]): EventRows => {
      const found = rows as [latest: bigint, next: bigint | null, ...([null] | ListedEventRow)][]
      const events = found.flatMap(([, , ...event]) => (event[0] === null ? [] : [event]))
      return { rows: events, limit, after, next: found[0]?.[1] ?? undefined, latest: found[0]?.[0] ?? 0n }
    }
    const { rows, position } = await countPending(() =>
      readEvents({
        statement: pages[name],
        values: [...values, after ?? 0n, limit + 1],
        after: { id: after ?? 0n, lineage },
        lastOf: (found) => endOfPage(toFound(found)),
        needsNewest: true,
      }),
    )
    return toEventPage(toFound(rows), position)
  }

  const listBackwards: ListEvents = async (limit, before = 0n, lineage, subject) => {
    const { name, values } = chooseEvents(subject)
    const { rows, position } = await countPending(() =>
      readEvents({
        statement: pagesBackwards[name],
        values: [...values, boundOf('-id', before), limit + 1],
        after: { id: before, lineage },
        lastOf: (found) => endBackwards(found as ListedEventRow[], limit),
      }),
    )
    return toPageBackwards(rows as ListedEventRow[], limit, position)
  }

  return { list, listBackwards }
}
