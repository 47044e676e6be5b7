import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../../inventory/caller.ts'
import { unavailable } from '../../../inventory/errors.ts'
import { nextLoopTick } from '../../../inventory/loop-steps.ts'
import { hungThreads, startThread, type Thread, ThreadHangs } from '../../../threads/thread.ts'
import type { Found, FoundInOrder, Search, SearchBudget, SearchInOrder } from '../../shared/reads/find-by-name.ts'
import { openFairQueue } from '../../../inventory/fair-queue.ts'
import { readsOf } from '../connection/database.ts'
import { prepareSearch } from './name-search.ts'
import type { SharedSnapshot } from './shared-snapshot.ts'
import type { OpenedFiles, SearchFunctions } from './search-thread.ts'
import { prepareSortedSearch } from './sorted-search.ts'

/** Runs searches by name, one at a time, each within the budget. */
export interface Searcher {
  find(search: Search, caller?: Caller): Promise<Found>
  findInOrder(search: SearchInOrder, caller?: Caller): Promise<FoundInOrder>
  readonly budget: SearchBudget
  /** Throws if searches fail because their thread hangs. */
  check(): void
  close(): Promise<void>
}

export interface ThreadSearcherOptions {
  /** For errors. */
  reader: DatabaseSync
  snapshot: SharedSnapshot
  budget: SearchBudget
  /** How long a search may take. Its budget is far less. */
  timeoutMs?: number
}

/** Matches may be far apart in the order of names: a page may take as many times as long as that of another search. */
const budgetFactor = 4
/** Each holds memory, and a disk that stalls may hang every one. */
const maxHungThreads = 3
const retryMs = 1_000

/** On a thread, which starts with the first search and is replaced if it ended or hangs. */
export function threadSearcher(
  opened: OpenedFiles,
  { reader, snapshot, budget, timeoutMs = 5_000 }: ThreadSearcherOptions,
): Searcher {
  const read = readsOf(reader)
  const queue = openFairQueue(1)
  // Nobody waits on the event loop.
  const budgetInOrder = { ...budget, ms: budgetFactor * budget.ms }
  let thread: Thread<SearchFunctions> | undefined
  let isClosed = false
  /** Why searches are refused: a thread hung, and the next one has not yet read anything. */
  let problem: ThreadHangs | undefined

  function usableThread(): Thread<SearchFunctions> {
    if (thread === undefined || thread.hasEnded) {
      const module = new URL('./search-thread.ts', import.meta.url)
      thread = startThread<SearchFunctions>({ name: 'search', module, data: opened })
    }
    return thread
  }

  /** Starts threads until one can read. */
  async function recover(reason: ThreadHangs): Promise<void> {
    problem = reason
    for (;;) {
      if (isClosed) return
      try {
        if (hungThreads().filter((name) => name === 'search').length < maxHungThreads) {
          await usableThread().callWithin(timeoutMs, 'ping')
          break
        }
      } catch (error) {
        // It does not hang, but has another problem: the next search tells.
        if (!(error instanceof ThreadHangs)) break
      }
      await sleep(retryMs, undefined, { ref: false })
    }
    problem = undefined
  }

  function check(): void {
    if (problem !== undefined) throw unavailable('Nothing can be searched right now; try again.', problem)
  }

  async function ask<Result>(call: (thread: Thread<SearchFunctions>) => Promise<Result>): Promise<Result> {
    if (isClosed) throw unavailable('The storage is closed.')
    check()
    const asked = usableThread()
    try {
      return await snapshot.endAfter(call(asked))
    } catch (error) {
      if (error instanceof ThreadHangs) void recover(error)
      if (asked.hasEnded) throw unavailable('The search has ended; try again.', error)
      return read(() => {
        throw error
      })
    }
  }

  return {
    find: (search, caller) =>
      queue.run(caller, () => ask((asked) => asked.callWithin(timeoutMs, 'search', { search, budget }))),
    findInOrder: (search, caller) =>
      queue.run(caller, () =>
        ask((asked) => asked.callWithin(timeoutMs, 'searchInOrder', { search, budget: budgetInOrder })),
      ),
    budget,
    check,
    async close() {
      isClosed = true
      if (thread === undefined || thread.hasEnded) return
      // A thread that hangs has nothing to lose: it only reads.
      await thread.callWithin(timeoutMs, 'close').catch(() => undefined)
      await thread.end().catch(() => undefined)
    },
  }
}

/** On the event loop, for an in-memory database, which other threads cannot see. */
export function inlineSearcher(db: DatabaseSync, budget: SearchBudget): Searcher {
  const read = readsOf(db)
  const queue = openFairQueue(1)
  const searchByName = prepareSearch(db)
  const searchInOrder = prepareSortedSearch(db)

  async function inTurn<Result>(caller: Caller | undefined, search: () => Result): Promise<Result> {
    // A page may take several searches: others are served between them.
    await nextLoopTick()
    return queue.run(caller, () => read(search))
  }

  return {
    find: (search, caller) => inTurn(caller, () => searchByName(search, budget)),
    findInOrder: (search, caller) => inTurn(caller, () => searchInOrder(search, budget)),
    budget,
    check() {},
    async close() {},
  }
}
