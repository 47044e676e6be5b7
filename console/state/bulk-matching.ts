import type { BulkFilter, RefusedPet } from '../../client/src/index.ts'
import { randomId } from '../../client/src/random-id.ts'
import { fillPage } from '../api/fill-page.ts'
import { service } from '../api/service.ts'
import type { BulkChange } from './bulk.ts'

/** Refused animals that are listed; further ones are counted. */
const maxRefusals = 100

/** The first ones are shown before a change. */
const maxNames = 5

/** How many animals match a filter now, and who they are. */
export interface Forecast {
  matching: number
  /** There are more than `matching`. */
  more: boolean
  /** Of the first ones. */
  names: readonly string[]
  /** A change that starts with it leaves out animals that were added after this count. */
  cursor: string
}

/** Counts the animals. With `cursor`, only those that were there at the count that has returned it. */
export async function forecast(filter: BulkFilter, signal: AbortSignal, cursor?: string): Promise<Forecast> {
  const { ids, ...others } = filter
  const [count, first] = await Promise.all([
    service().pets.countBulk({ filter, delete: true, cursor }, { signal }),
    fillPage(
      ({ signal, ...part }) =>
        service()
          .pets.list({ ...others, ...(ids !== undefined && { ids: ids.join() }), ...part }, { signal })
          .page(),
      { limit: maxNames, signal },
    ),
  ])
  return { ...count, names: first.items.map(({ name }) => name) }
}

/** A change of all animals that match a filter, and how far it got. Continuing it repeats nothing. */
export interface MatchingRun {
  filter: BulkFilter
  change: BulkChange
  /** The beginning of the idempotency keys of its calls. */
  key: string
  calls: number
  cursor: string | undefined
  changed: number
  unchanged: number
  refused: number
  refusals: readonly RefusedPet[]
  isDone: boolean
}

/** `cursor`: of the count that people have agreed to. */
export function newRun(filter: BulkFilter, change: BulkChange, cursor?: string): MatchingRun {
  const notStarted = { calls: 0, cursor, changed: 0, unchanged: 0, refused: 0, refusals: [], isDone: false }
  return { filter, change, key: randomId(), ...notStarted }
}

/**
 * Changes up to 1,000 animals at a time, until all are done or `isStopped`. Calls back after each call. Rejects if a
 * call fails: the last run that was called back with can be continued, also if the response was lost.
 */
export async function continueRun(
  start: MatchingRun,
  onProgress: (run: MatchingRun) => void,
  isStopped: () => boolean,
): Promise<void> {
  for (let run = start; !run.isDone && !isStopped(); onProgress(run)) run = await nextCall(run)
}

async function nextCall(run: MatchingRun): Promise<MatchingRun> {
  const { filter, change, cursor } = run
  const action = change === 'delete' ? { delete: true as const } : { change }
  const idempotencyKey = `${run.key}-${run.calls}`
  const result = await service().pets.bulk({ filter, ...action, cursor }, { idempotencyKey })
  return {
    ...run,
    calls: run.calls + 1,
    cursor: result.next,
    changed: run.changed + result.changed,
    unchanged: run.unchanged + result.unchanged,
    refused: run.refused + result.refused,
    refusals: [...run.refusals, ...result.refusals].slice(0, maxRefusals),
    isDone: result.next === undefined,
  }
}
