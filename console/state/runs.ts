import type { ShopEvent } from '../../client/src/index.ts'
import { isPetChange, petIdOf } from './feed.ts'

/** Events that belong together: changes of animals that were made together, or one event. */
export interface Run {
  /** The latest first; never empty. */
  events: ShopEvent[]
  oldest: ShopEvent
  /** The ids of animals in events that are not kept. */
  droppedPetIds: Set<string>
}

/** Changes that are made together follow each other as fast as this, in milliseconds. */
const maxGapMs = 5_000

/** Adds an event before the first run, or to it. At most `maxKept` events of the run are kept. */
export function addNewer(runs: readonly Run[], event: ShopEvent, maxKept: number): Run[] {
  const [first, ...others] = runs
  const newest = first?.events[0]
  if (first === undefined || newest === undefined || !isOneRun(event, newest)) return [newRun(event), ...runs]
  const dropped = first.events.slice(maxKept - 1)
  // The set is not copied: it may have thousands of ids.
  for (const one of dropped) first.droppedPetIds.add(petIdOf(one))
  return [{ ...first, events: [event, ...first.events.slice(0, maxKept - 1)] }, ...others]
}

/** Adds an event behind the last run, or to it. */
export function addOlder(runs: Run[], event: ShopEvent, maxKept: number): void {
  const last = runs.at(-1)
  if (last === undefined || !isOneRun(last.oldest, event)) return void runs.push(newRun(event))
  last.oldest = event
  if (last.events.length < maxKept) last.events.push(event)
  else last.droppedPetIds.add(petIdOf(event))
}

function newRun(event: ShopEvent): Run {
  return { events: [event], oldest: event, droppedPetIds: new Set() }
}

function isOneRun(newer: ShopEvent, older: ShopEvent): boolean {
  if (!isPetChange(newer) || newer.type !== older.type || newer.keyid !== older.keyid) return false
  const isSameRequest = newer.requestid !== undefined && newer.requestid === older.requestid
  return isSameRequest || Date.parse(newer.time) - Date.parse(older.time) <= maxGapMs
}
