import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { groupCommit, type WriteResult } from './writes.ts'
import type { Committer } from './writer.ts'

/** Commits on a thread of its own, which may wait for locks and disks. */
export async function threadCommitter(path: string): Promise<Committer> {
  const thread = new Worker(new URL('./writer-start.js', import.meta.url), { workerData: { path } })
  await once(thread, 'message') // 'ready'; an error while opening rejects

  let waiting: { resolve: (results: WriteResult[]) => void; reject: (error: Error) => void } | undefined
  let ended: Error | undefined
  function end(reason: Error): void {
    ended ??= reason
    waiting?.reject(ended)
  }
  thread.on('message', (results: WriteResult[]) => waiting?.resolve(results))
  thread.on('error', end)
  thread.on('exit', () => end(new Error('The writer thread has ended.')))

  return {
    commit(group) {
      if (ended !== undefined) return Promise.reject(ended)
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        thread.postMessage(group)
      })
    },
    async close() {
      if (ended !== undefined) return
      thread.postMessage('close')
      await once(thread, 'exit')
    },
  }
}

/** Commits on the event loop, for a database in memory, which no other thread can see. */
export function inlineCommitter(db: DatabaseSync): Committer {
  const commit = groupCommit(db)
  return {
    commit: async (group) => commit(group),
    async close() {
      db.close()
    },
  }
}
