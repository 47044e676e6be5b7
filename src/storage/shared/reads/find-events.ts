import { authorPrefix, maxEventsSearched, type ShopEvent } from '../../../contract/event.ts'
import type { Caller } from '../../../inventory/caller.ts'
import type { EventFilter, EventPage, Events, EventSubject } from '../../../inventory/events.ts'
import { nextLoopTick } from '../../../inventory/loop-steps.ts'
import { addLargeData, type ReadData } from './large-events.ts'

/** Lists the events about a subject, which an index finds, or all events; in either direction; without large data. */
export type ListEvents = (
  limit: number,
  after: bigint | undefined,
  lineage: string | undefined,
  subject: EventSubject,
) => Promise<EventPage>

/** Lets a search read all its parts from one state. */
export type SearchEvents = (
  search: (list: ListEvents) => Promise<EventPage>,
  caller: Caller | undefined,
) => Promise<EventPage>

export interface EventLists {
  list: ListEvents
  atOneState: SearchEvents
  readData: ReadData
}

/** As many as a page may have, so that a read costs no more than one. */
const eventsPerRead = 100

/**
 * Adds the filters that have no index to a list of events, by reading the list. A page ends when it is full, or when
 * enough events were looked through; it goes on from the last of these. Events do not change: large data are read after
 * the page, when there is room for them. If one has expired meanwhile, the page is read again.
 */
export function withEventFilters({ list, atOneState, readData }: EventLists): Events['list'] {
  return async (limit, after, lineage, { type, keyId, from, to, ...subject } = {}, caller) => {
    const isMatch = matcher({ type, keyId, from, to })
    for (;;) {
      const page =
        isMatch === undefined
          ? await list(limit, after, lineage, subject)
          : await atOneState((read) => search(read, isMatch, { limit, after, lineage, subject }), caller)
      if (await addLargeData(page.items, readData, caller)) return page
    }
  }
}

async function search(
  list: ListEvents,
  isMatch: (event: ShopEvent) => boolean,
  { limit, after, lineage, subject }: PageStart,
): Promise<EventPage> {
  const items: ShopEvent[] = []
  let start = { end: after, lineage }
  let missed: boolean | undefined
  for (let searched = 0; ; await nextLoopTick()) {
    const page = await list(eventsPerRead, start.end, start.lineage, subject)
    missed ??= page.missed
    const found = page.items.filter(isMatch)
    const room = limit - items.length
    items.push(...found.slice(0, room))
    // There is room for one at least: a full page has been returned before.
    if (found.length > room) return { ...page, items, more: true, missed, end: (items.at(-1) as ShopEvent).id }
    searched += page.items.length
    const isEnough = items.length === limit || searched >= maxEventsSearched
    if (!page.more || isEnough) return { ...page, items, missed }
    start = { end: page.end, lineage: page.lineage }
  }
}

interface PageStart {
  limit: number
  after: bigint | undefined
  lineage: string | undefined
  subject: EventSubject
}

/** Undefined if every event matches. */
function matcher({ type, keyId, from, to }: EventFilter): ((event: ShopEvent) => boolean) | undefined {
  if (type === undefined && keyId === undefined && from === undefined && to === undefined) return undefined
  const author = keyId === undefined ? undefined : authorPrefix(keyId)
  return (event) =>
    (type === undefined || event.type === type) &&
    (from === undefined || event.at >= from) &&
    (to === undefined || event.at < to) &&
    (author === undefined || event.author?.startsWith(author) === true)
}
