import type { EventsQuery, Page, ShopEvent } from '../../client/src/index.ts'
import { maxSearchMs } from '../api/fill-page.ts'
import { service } from '../api/service.ts'
import { petIdOf } from './feed.ts'
import { entriesOf, type HistoryEntry } from './history.ts'
import { currentPreferences } from './preferences.ts'
import { addOlder, type Run } from './runs.ts'

export type EventKind = ShopEvent['type']

export interface ActivityFilter {
  kind: EventKind | undefined
  /** The id of the key that made the changes. */
  keyid: string | undefined
  /** A day here, such as 2026-11-17. */
  day: string | undefined
}

/** One change, or many of the same kind that were made together: an import, or a change of chosen animals. */
export interface Activity {
  /** The latest first; never empty. Of a large group they may be the latest only. */
  entries: readonly [HistoryEntry, ...HistoryEntry[]]
  /** The id of its oldest event: it stays the same while the group grows. */
  id: string
  /** Whether it has older entries than these. */
  isCut: boolean
  /** How many animals were changed: one of them may have several entries. */
  petCount: number
}

/** A page of what happened. */
export interface ActivityPage extends Page<Activity> {
  /** Whether its last group may go on with older changes. */
  isOpenEnded: boolean
}

const eventsPerRead = 100
const maxReads = 10
/** Changes of fewer animals are told one by one. */
const minGroup = 3

/** A page of what happened, the latest first. An import does not fill it: up to 1,000 events are read. */
export async function readActivity(
  filter: ActivityFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ActivityPage> {
  const { pageSize } = currentPreferences()
  const { events, next } = await readEvents(filter, cursor, pageSize + 1, signal)
  const activities = activitiesOf(events)
  const firstOfNext = activities[pageSize]?.entries[0].event
  if (firstOfNext === undefined) return { items: activities, cursor: next, isOpenEnded: next !== undefined }
  const lastEvent = events[events.indexOf(firstOfNext) - 1]
  return { items: activities.slice(0, pageSize), cursor: lastEvent?.id, isOpenEnded: false }
}

/** The latest events: up to 1,000, until they are `wanted` activities. */
export async function readEvents(
  filter: ActivityFilter,
  cursor: string | undefined,
  wanted: number,
  signal: AbortSignal,
): Promise<{ events: readonly ShopEvent[]; next: string | undefined }> {
  const endsAt = performance.now() + maxSearchMs
  const events: ShopEvent[] = []
  let next = cursor
  for (let reads = 0; reads < maxReads && (reads === 0 || performance.now() < endsAt); reads++) {
    const query: EventsQuery = { ...queryOf(filter), sort: '-id', limit: eventsPerRead, after: next }
    const page = await service().events.list(query, { signal }).page()
    events.push(...page.items)
    next = page.cursor
    if (next === undefined || activitiesOf(events).length >= wanted) break
  }
  return { events, next }
}

function queryOf({ kind, keyid, day }: ActivityFilter): EventsQuery {
  return { type: kind, keyid, ...(day !== undefined && rangeOf(day)) }
}

/** The times at which a day here begins and ends; undefined if it is none. */
export function rangeOf(day: string): { from: Date; to: Date } | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const from = new Date(year, month - 1, date)
  const isThatDay = from.getMonth() === month - 1 && from.getDate() === date
  return isThatDay ? { from, to: new Date(year, month - 1, date + 1) } : undefined
}

/** Events, the latest first, as people see them: changes that were made together are one. */
export function activitiesOf(events: readonly ShopEvent[]): Activity[] {
  const runs: Run[] = []
  for (const event of events) addOlder(runs, event, Number.POSITIVE_INFINITY)
  return activitiesOfRuns(runs)
}

export function activitiesOfRuns(runs: readonly Run[]): Activity[] {
  const entries = new Map(entriesOf(runs.flatMap(({ events }) => events)).map((entry) => [entry.event, entry]))
  return runs.flatMap(({ events, oldest, droppedPetIds }): Activity[] => {
    // The change that an order made to its animal has no entry.
    const [first, ...others] = events.flatMap((event) => entries.get(event) ?? [])
    if (first === undefined) return []
    const keptPetIds = new Set([first, ...others].map(({ event }) => petIdOf(event)))
    const petCount = droppedPetIds.size + [...keptPetIds].filter((id) => !droppedPetIds.has(id)).length
    if (petCount >= minGroup)
      return [{ entries: [first, ...others], id: oldest.id, isCut: droppedPetIds.size > 0, petCount }]
    return [first, ...others].map((entry) => ({ entries: [entry], id: entry.event.id, isCut: false, petCount: 1 }))
  })
}
