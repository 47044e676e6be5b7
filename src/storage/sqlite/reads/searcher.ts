import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../../inventory/errors.ts'
import type { FoundPart, SearchPart } from '../../shared/reads/find-by-name.ts'
import { readsOf } from '../connection/database.ts'
import { prepareSearch } from './name-search.ts'
import { prepareLists } from './pet-lists.ts'
import type { SharedSnapshot } from './shared-snapshot.ts'
import type { SearchReply } from './search-thread.ts'

/** Searches that may wait for the thread, each with one part at a time. */
const maxWaiting = 200

/** Runs the parts of searches by name. */
export interface Searcher {
  find(part: SearchPart): Promise<FoundPart>
  close(): Promise<void>
}

/** On a thread, which starts with the first search and is replaced if it ended. `reader` is for errors. */
export function threadSearcher(path: string, reader: DatabaseSync, snapshot: SharedSnapshot): Searcher {
  const read = readsOf(reader)
  let thread: SearchThread | undefined

  return {
    async find(part) {
      if (thread === undefined || thread.hasEnded) thread = startThread(path)
      const reply = await snapshot.endAfter(thread.ask(part))
      return read(() => {
        if ('failure' in reply)
          throw Object.assign(new Error(reply.failure.message), { errcode: reply.failure.errcode })
        return reply.found
      })
    },
    close: async () => thread?.close(),
  }
}

/** On the event loop, for an in-memory database, which other threads cannot see. */
export function inlineSearcher(db: DatabaseSync): Searcher {
  const read = readsOf(db)
  const search = prepareSearch(db, prepareLists(db))
  return { find: (part) => read(() => search(part)), async close() {} }
}

interface SearchThread {
  ask(part: SearchPart): Promise<SearchReply>
  close(): Promise<void>
  readonly hasEnded: boolean
}

function startThread(path: string): SearchThread {
  const thread = new Worker(new URL('./search-start.js', import.meta.url), { workerData: { path } })
  const waiting: { resolve(reply: SearchReply): void; reject(error: Error): void }[] = []
  let hasEnded = false
  function end(reason: unknown): void {
    hasEnded = true
    for (const { reject } of waiting.splice(0)) reject(unavailable('The search has ended; try again.', reason))
  }
  // The thread replies in the order of the questions.
  thread.on('message', (reply: SearchReply) => waiting.shift()?.resolve(reply))
  thread.on('error', end)
  thread.on('exit', end)

  return {
    ask(part) {
      if (waiting.length >= maxWaiting) return Promise.reject(unavailable('Too many searches are waiting.'))
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        thread.postMessage(part)
      })
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
