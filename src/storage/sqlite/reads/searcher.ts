import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Caller } from '../../../inventory/caller.ts'
import { unavailable } from '../../../inventory/errors.ts'
import { nextLoopTick } from '../../../inventory/loop-steps.ts'
import type { Found, Search, SearchBudget } from '../../shared/reads/find-by-name.ts'
import { openFairQueue } from '../../shared/reads/fair-queue.ts'
import { readsOf } from '../connection/database.ts'
import { prepareSearch } from './name-search.ts'
import type { SharedSnapshot } from './shared-snapshot.ts'
import type { OpenedFiles, SearchReply, SearchRequest } from './search-thread.ts'

/** Runs searches by name, one at a time, each within the budget. */
export interface Searcher {
  find(search: Search, caller?: Caller): Promise<Found>
  readonly budget: SearchBudget
  close(): Promise<void>
}

/** On a thread, which starts with the first search and is replaced if it ended. `reader` is for errors. */
export function threadSearcher(
  opened: OpenedFiles,
  { reader, snapshot, budget }: { reader: DatabaseSync; snapshot: SharedSnapshot; budget: SearchBudget },
): Searcher {
  const read = readsOf(reader)
  const queue = openFairQueue(1)
  let thread: SearchThread | undefined
  let isClosed = false

  async function ask(search: Search): Promise<Found> {
    if (isClosed) throw unavailable('The storage is closed.')
    if (thread === undefined || thread.hasEnded) thread = startThread(opened)
    const reply = await snapshot.endAfter(thread.ask({ search, budget }))
    return read(() => {
      if ('failure' in reply) throw Object.assign(new Error(reply.failure.message), { errcode: reply.failure.errcode })
      return reply.found
    })
  }

  return {
    find: (search, caller) => queue.run(caller, () => ask(search)),
    budget,
    async close() {
      isClosed = true
      await thread?.close()
    },
  }
}

/** On the event loop, for an in-memory database, which other threads cannot see. */
export function inlineSearcher(db: DatabaseSync, budget: SearchBudget): Searcher {
  const read = readsOf(db)
  const queue = openFairQueue(1)
  const searchByName = prepareSearch(db)
  return {
    async find(search, caller) {
      // A page may take several searches: others are served between them.
      await nextLoopTick()
      return queue.run(caller, () => read(() => searchByName(search, budget)))
    },
    budget,
    async close() {},
  }
}

interface SearchThread {
  /** One at a time. */
  ask(request: SearchRequest): Promise<SearchReply>
  close(): Promise<void>
  readonly hasEnded: boolean
}

function startThread(opened: OpenedFiles): SearchThread {
  const thread = new Worker(new URL('./search-start.js', import.meta.url), { name: 'search', workerData: opened })
  let waiting: PromiseWithResolvers<SearchReply> | undefined
  let hasEnded = false
  function end(reason: unknown): void {
    hasEnded = true
    waiting?.reject(unavailable('The search has ended; try again.', reason))
  }
  thread.on('message', (reply: SearchReply) => waiting?.resolve(reply))
  thread.on('error', end)
  thread.on('exit', end)

  return {
    ask(request) {
      waiting = Promise.withResolvers()
      thread.postMessage(request)
      return waiting.promise
    },
    async close() {
      if (hasEnded) return
      thread.postMessage('close')
      await once(thread, 'exit')
    },
    get hasEnded() {
      return hasEnded
    },
  }
}
