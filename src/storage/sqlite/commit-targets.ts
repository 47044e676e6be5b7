import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { StorageError } from '../shared/errors.ts'
import { groupCommit, type WriteRequest, type WriteResult } from './writes.ts'
import type { Committer } from './writer.ts'

interface WriterThread {
  commit(group: readonly WriteRequest[]): Promise<WriteResult[]>
  close(): Promise<void>
  readonly hasEnded: boolean
}

/** Commits on a thread of its own, which may wait for locks and disks. One that ended is replaced when it is needed. */
export async function threadCommitter(path: string): Promise<Committer> {
  let thread = await startThread(path)
  return {
    async commit(group) {
      if (thread.hasEnded) thread = await startThread(path)
      return thread.commit(group)
    },
    close: () => thread.close(),
  }
}

async function startThread(path: string): Promise<WriterThread> {
  const thread = new Worker(new URL('./writer-start.js', import.meta.url), { workerData: { path } })
  await once(thread, 'message').catch((error: Error) => {
    // What cannot be opened is explained there, but the class of an error is lost on its way between threads.
    throw new StorageError(error.message)
  })

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
    commit: (group) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        thread.postMessage(group)
      }),
    async close() {
      if (ended !== undefined) return
      thread.postMessage('close')
      await once(thread, 'exit')
    },
    get hasEnded() {
      return ended !== undefined
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
