import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { StorageError } from '../../shared/errors.ts'
import type { WriteRelay } from '../../shared/writes/relay.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { DatabaseLocked, isLocked } from '../connection/errors.ts'
import { schemaNumber } from '../schema/migrate.ts'
import { type CommitGuard, groupCommit, type WriteRequest, type WriteResult } from './writes.ts'
import type { Committer } from './writer.ts'
import type { WriterThreadData, WriterThreadMessage } from './writer-thread.ts'

interface WriterThread {
  commit(group: readonly WriteRequest[]): Promise<WriteResult[]>
  close(): Promise<void>
  readonly files: FileIds
  readonly hasEnded: boolean
}

/** Commits on a separate thread, which may wait for locks and disks. A thread that ended is replaced on demand. */
export async function threadCommitter(data: WriterThreadData): Promise<Committer & { files: FileIds }> {
  let thread = await startThread(data)
  const { files } = thread

  async function replaceThread(): Promise<void> {
    const missing = missingFiles(data.path, files)
    if (missing !== undefined) throw new Error(missing)
    thread = await startThread(data)
  }

  return {
    files,
    async commit(group) {
      if (thread.hasEnded) await replaceThread()
      return thread.commit(group)
    },
    close: () => thread.close(),
  }
}

/** Threads that have closed their database and wait for another: to start one takes 60 ms of CPU time. */
const idleThreads = new Set<Worker>()

function newThread(): Worker {
  const thread = new Worker(new URL('./writer-start.js', import.meta.url), { name: 'writer' })
  const forget = () => idleThreads.delete(thread)
  // Also while it is idle: an error that nobody hears ends the process, and a thread that has ended never replies.
  return thread.on('error', forget).on('exit', forget)
}

async function startThread(data: WriterThreadData): Promise<WriterThread> {
  const [thread = newThread()] = idleThreads
  idleThreads.delete(thread)
  const post = (message: WriterThreadMessage) => thread.postMessage(message)
  thread.ref()
  post(data)
  const [{ files }] = (await once(thread, 'message').catch((error: Error) => {
    // The thread explains why a database cannot be opened, but the class of an error is lost between threads.
    throw isLocked(error) ? new DatabaseLocked(error.message) : new StorageError(error.message)
  })) as [{ files: FileIds }]

  let waiting: { resolve: (results: WriteResult[]) => void; reject: (error: Error) => void } | undefined
  let closing: PromiseWithResolvers<void> | undefined
  let ended: Error | undefined
  function end(reason: Error): void {
    ended ??= reason
    waiting?.reject(ended)
    closing?.reject(ended)
  }
  const onExit = () => end(new Error('The writer thread has ended.'))
  function onMessage(reply: WriteResult[] | 'closed'): void {
    if (reply !== 'closed') return waiting?.resolve(reply)
    // Idle threads do not keep the process running.
    thread.off('message', onMessage).off('error', end).off('exit', onExit).unref()
    idleThreads.add(thread)
    closing?.resolve()
    end(new Error('The storage is closed.'))
  }
  thread.on('message', onMessage).on('error', end).on('exit', onExit)

  return {
    files,
    commit: (group) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        post(group)
      }),
    async close() {
      if (ended === undefined && closing === undefined) {
        closing = Promise.withResolvers()
        post('close')
      }
      await closing?.promise
    },
    get hasEnded() {
      return ended !== undefined
    },
  }
}

/** Commits in another process that has the same database open. */
export function relayCommitter(relay: WriteRelay): Committer {
  return {
    commit: (group) => relay.commit(group) as ReturnType<Committer['commit']>,
    async close() {},
  }
}

/** Commits on the event loop, for an in-memory database, which other threads cannot see. */
export function inlineCommitter(db: DatabaseSync, refuse?: CommitGuard['refuse']): Committer {
  const commit = groupCommit(db, { path: ':memory:', schema: schemaNumber(db), refuse })
  return {
    commit: async (group) => commit(group),
    async close() {
      db.close()
    },
  }
}
