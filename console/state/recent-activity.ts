import type { ShopEvent } from '../../client/src/index.ts'
import { service } from '../api/service.ts'
import { type Activity, activitiesOf } from './activity.ts'
import { followFeed } from './feed.ts'
import { useLive } from './live.ts'
import { createSessionStore, useStore } from './store.ts'

const maxShown = 6
/** Animals that were added or changed together are one line, with their number as far as it is known. */
const maxKept = 100

/** The latest first, as received since the page was opened, also while another view is open. */
const received = createSessionStore<readonly ShopEvent[]>([])

followFeed((signal) => {
  // The stream may continue in another history, which has its own ids.
  if (signal === 'missed') received.set([])
  else if (typeof signal === 'object' && 'time' in signal) received.set([signal, ...received.get()].slice(0, maxKept))
})

export interface RecentActivity {
  /** The latest first. */
  activities: readonly Activity[]
  /** Whether the last of them may go on with older changes. */
  isOpenEnded: boolean
  /** The latest names of animals, by the digits of their ids, as far as recent events have them. */
  names: ReadonlyMap<string, string>
  /** Whether there may be earlier events. */
  isLoading: boolean
}

/** One read fills the list; the stream continues it. The read starts after the stream, so no event is between them. */
export function useRecentActivity(): RecentActivity {
  const { result = [], isLoading } = useLive('events', readLatest, { concerns: () => false })
  const events = latestFirst([...useStore(received), ...result])
  const named = events.flatMap(({ data }) => ('name' in data ? [[String(data.id), data.name] as const] : []))
  const activities = activitiesOf(events)
  const isOpenEnded = events.length >= maxKept && activities.length <= maxShown
  return { activities: activities.slice(0, maxShown), isOpenEnded, names: new Map(named.toReversed()), isLoading }
}

async function readLatest(signal: AbortSignal): Promise<readonly ShopEvent[]> {
  const { items } = await service().events.list({ sort: '-id', limit: maxKept }, { signal }).page()
  return items
}

/** Each event once: the read and the stream may both have it. */
function latestFirst(events: readonly ShopEvent[]): readonly ShopEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]))
  return [...byId.values()].toSorted((one, other) => (one.sequence < other.sequence ? 1 : -1))
}
