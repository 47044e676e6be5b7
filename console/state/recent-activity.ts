import type { ShopEvent } from '../../client/src/index.ts'
import { type Activity, activitiesOfRuns, readEvents } from './activity.ts'
import { followFeed } from './feed.ts'
import { useLive } from './live.ts'
import { addNewer, addOlder, type Run } from './runs.ts'
import { createSessionStore, useStore } from './store.ts'

const maxShown = 6
/** Of a group. */
const maxKept = 100
/** Enough for what is shown: an order has two, one of them for its animal. */
const minRuns = 2 * maxShown + 1
/** As far as there are not more runs: they tell what animals were before, and their names. */
const minEvents = 100

interface Recent {
  /** The latest first, without a gap. */
  runs: readonly Run[]
  /** Whether there may be earlier events. */
  hasOlder: boolean
}

const nothing: Recent = { runs: [], hasOlder: true }
/** What is known since the sign-in, also while another view is open. */
const recent = createSessionStore(nothing)
/** How often events were missed: the stream may have continued in another history, which has its own ids. */
let missedCount = 0
/** Whether the next events are of a new beginning. The old ones are shown until then. */
let isOutdated = false

followFeed((signal) => {
  if (signal === 'missed') {
    missedCount++
    isOutdated = true
  } else if (typeof signal === 'object' && 'time' in signal) add(signal)
})

function add(event: ShopEvent): void {
  const { runs, hasOlder } = current()
  const newest = runs[0]?.events[0]
  if (newest === undefined || newest.sequence < event.sequence) set(addNewer(runs, event, maxKept), hasOlder)
}

function current(): Recent {
  return isOutdated ? nothing : recent.get()
}

function set(runs: readonly Run[], hasOlder: boolean): void {
  isOutdated = false
  let count = runs.length
  let eventCount = runs.reduce((sum, { events }) => sum + events.length, 0)
  for (const { events } of runs.toReversed()) {
    eventCount -= events.length
    if (count <= minRuns || eventCount < minEvents) break
    count--
  }
  recent.set({ runs: runs.slice(0, count), hasOlder: hasOlder || count < runs.length })
}

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

/** A read fills the list; the stream continues it. The read starts after the stream, so no event is between them. */
export function useRecentActivity(): RecentActivity {
  const { isLoading } = useLive('events', readLatest, { concerns: () => false })
  const { runs, hasOlder } = useStore(recent)
  const events = runs.flatMap((run) => run.events)
  const named = events.flatMap(({ data }) => ('name' in data ? [[String(data.id), data.name] as const] : []))
  const activities = activitiesOfRuns(runs)
  const isOpenEnded = hasOlder && activities.length <= maxShown
  return { activities: activities.slice(0, maxShown), isOpenEnded, names: new Map(named.toReversed()), isLoading }
}

/** One request, unless there is a large group: then it goes on to what was before. */
async function readLatest(signal: AbortSignal): Promise<void> {
  const missedBefore = missedCount
  const any = { kind: undefined, keyid: undefined, day: undefined }
  const { events, next } = await readEvents(any, undefined, maxShown, signal)
  // It is read again.
  if (signal.aborted || missedCount !== missedBefore) return
  join(events, next !== undefined)
}

/** Adds what was read, the latest first, before and behind what is known. */
function join(events: readonly ShopEvent[], hasOlder: boolean): void {
  const known = current()
  const newest = known.runs[0]?.events[0]
  const oldest = known.runs.at(-1)?.oldest
  const lastRead = events.at(-1)
  const isGap =
    newest !== undefined && lastRead !== undefined && BigInt(lastRead.sequence) > BigInt(newest.sequence) + 1n
  if (newest === undefined || oldest === undefined || isGap) {
    const runs: Run[] = []
    for (const event of events) addOlder(runs, event, maxKept)
    return set(runs, hasOlder)
  }
  let runs = known.runs.map((run) => ({ ...run, events: [...run.events] }))
  for (const event of events) if (event.sequence < oldest.sequence) addOlder(runs, event, maxKept)
  for (const event of events.toReversed()) {
    if (event.sequence > newest.sequence) runs = addNewer(runs, event, maxKept)
  }
  const isAtEnd = lastRead !== undefined && lastRead.sequence <= oldest.sequence
  set(runs, isAtEnd ? hasOlder : known.hasOlder)
}
