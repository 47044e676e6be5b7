import type { ShopEvent } from '../../contract/event.ts'
import type { EventFilter } from '../../inventory/events.ts'
import { type Bug, bug, type Parts } from './bug.ts'
import { port } from './vocabulary.ts'

const kind = 'events'
const source = 'decision 11'
const filters = 'Filters `type`, `keyid`, `from`, `to` beside `petId` and `orderId`.'

export const eventBugs: readonly Bug[] = [
  bug(99, 'deletes-leave-no-event', kind, 'high', 'medium', {
    wrong: 'The events have no `petstore.pet.deleted`.',
    breaks: [source, '`GET /events` returns what changed (created, updated, deleted, …).'],
    found: 'Delete an animal and read the events.',
    make: () => listed((items) => items.filter(({ type }) => type !== 'pet.deleted')),
  }),
  bug(100, 'event-twice', kind, 'medium', 'hard', {
    wrong: 'A page of events ends with its last event twice.',
    breaks: [source, 'Events have ids 1, 2, 3, … in commit order: each once.'],
    found: 'Compare the ids of `GET /events`.',
    make: () => listed((items) => [...items, ...items.slice(-1)]),
  }),
  bug(101, 'events-out-of-order', kind, 'high', 'hard', {
    wrong: 'An order comes before the change of its animal, which was committed with it and has the lower id.',
    breaks: [source, '`GET /events` is in commit order.'],
    found: 'Order an animal and compare the ids of `GET /events`.',
    make: () =>
      listed((items) => {
        const all = [...items]
        for (let index = 1; index < all.length; index++) {
          const [before, event] = [all[index - 1] as ShopEvent, all[index] as ShopEvent]
          if (event.type.startsWith('order.')) [all[index - 1], all[index]] = [event, before]
        }
        return all
      }),
  }),
  bug(102, 'after-skips-one', kind, 'critical', 'hard', {
    wrong: 'A reader that goes on with `after` misses the first event after it.',
    breaks: [source, '`after` returns what changed since, and misses nothing.'],
    found: '`GET /events?after=1` begins with event 3.',
    make: () =>
      port('events', (honest) => ({
        async list(limit, after, ...others) {
          // After the latest one there is nothing to miss.
          const isBehind = after !== undefined && after > 0n && after < (await honest.latest()).id
          return honest.list(limit, isBehind ? after + 1n : after, ...others)
        },
      })),
  }),
  bug(103, 'event-type-ignored', kind, 'medium', 'medium', {
    wrong: 'The filter `type` of events is ignored.',
    breaks: [source, filters],
    found: '`GET /events?type=petstore.pet.deleted` after a create.',
    make: () => filtered(() => ({ type: undefined })),
  }),
  bug(104, 'event-without-author', kind, 'medium', 'medium', {
    wrong: 'Events do not say who made the change.',
    breaks: ['decision 31', 'Each event has the attributes `keyid`, `keyname` and `requestid`.'],
    found: 'The members of an event.',
    make: () => listed((items) => items.map((event) => ({ ...event, author: undefined }))),
  }),
  bug(112, 'event-key-ignored', kind, 'medium', 'medium', {
    wrong: 'The filter `keyid` of events is ignored.',
    breaks: [source, filters],
    found: '`GET /events?keyid=nobody` after a create.',
    make: () => filtered(() => ({ keyId: undefined })),
  }),
  bug(113, 'event-from-excludes', kind, 'low', 'hard', {
    wrong: '`from` leaves out the events of exactly this time.',
    breaks: [source, filters],
    found: '`GET /events?from=` with the time of an event.',
    make: () => filtered(({ from }) => ({ from: from === undefined ? undefined : from + 1 })),
  }),
  bug(114, 'event-to-includes', kind, 'low', 'hard', {
    wrong: '`to` returns the events of exactly this time too: a reader that asks day by day gets them twice.',
    breaks: [source, filters],
    found: '`GET /events?to=` with the time of an event.',
    make: () => filtered(({ to }) => ({ to: to === undefined ? undefined : to + 1 })),
  }),
]

/** Changes the filter of a list of events. */
function filtered(change: (filter: EventFilter) => EventFilter): Parts {
  const changed = (filter: EventFilter = {}) => ({ ...filter, ...change(filter) })
  return port('events', ({ list, listBackwards }) => ({
    list: (limit, after, lineage, filter) => list(limit, after, lineage, changed(filter)),
    listBackwards: (limit, before, lineage, filter) => listBackwards(limit, before, lineage, changed(filter)),
  }))
}

function listed(change: (items: readonly ShopEvent[]) => ShopEvent[]): Parts {
  return port('events', (honest) => ({
    async list(limit, after, lineage, filter) {
      const first = await honest.list(limit, after, lineage, filter)
      let page = first
      let items = change(page.items)
      // Reads on: a stream that gets nothing, and hears of more, would ask again without end.
      while (items.length === 0 && page.items.length > 0 && page.more) {
        page = await honest.list(limit, page.end, page.lineage, filter)
        items = change(page.items)
      }
      return { ...page, items, missed: first.missed }
    },
  }))
}
