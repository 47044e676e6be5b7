import type { DatabaseSync } from 'node:sqlite'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Calls, connectCalls, portChannel } from '../../../threads/calls.ts'
import { startThread, type Thread } from '../../../threads/thread.ts'
import { StorageError } from '../../shared/errors.ts'
import type { WriteRelay } from '../../shared/writes/relay.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { DatabaseLocked, isLocked } from '../connection/errors.ts'
import { schemaNumber } from '../schema/migrate.ts'
import { type CommitGuard, groupCommit } from './writes.ts'
import type { Committer } from './writer.ts'
import type { WriterFunctions, WriterThreadData } from './writer-thread.ts'

type WriterThread = Thread<WriterFunctions>

/** How long the last checkpoint may take. What it does not move stays in the log, on disk. */
const closeTimeoutMs = 8_000

export interface ThreadCommitter extends Committer {
  readonly files: FileIds
  /** Lets another thread of this process commit by a port (`portCommitter`), until `disconnect` or the end. */
  connect(port: MessagePort): Promise<void>
  disconnect(): void
}

/**
 * Commits on a separate thread, which may wait for locks and disks. A thread that ended is replaced on demand. `report`
 * is called if files are missing at the end, with what was done about it.
 */
export async function threadCommitter(
  data: WriterThreadData,
  report: (problem: string) => void = () => undefined,
): Promise<ThreadCommitter> {
  const first = await openInThread(data)
  const { files } = first
  let { thread } = first
  let replacing: Promise<void> | undefined
  let closing: Promise<void> | undefined

  async function replace(): Promise<void> {
    const missing = missingFiles(data.path, files)
    if (missing !== undefined) throw new Error(missing)
    thread = (await openInThread(data)).thread
  }

  async function usableThread(): Promise<WriterThread> {
    if (closing !== undefined) throw new Error('The storage is closed.')
    if (thread.hasEnded) await (replacing ??= replace().finally(() => (replacing = undefined)))
    return thread
  }

  async function close(): Promise<void> {
    await replacing?.catch(() => undefined)
    if (thread.hasEnded) return
    const problem = await thread.callWithin(closeTimeoutMs, 'close')
    if (problem !== undefined) report(problem)
    // Idle threads do not keep the process running.
    thread.keepProcess(false)
    idleThreads.add(thread)
  }

  return {
    files,
    async commit(group) {
      const used = await usableThread()
      try {
        return await used.call('commit', group)
      } catch (error) {
        // No result of a write: a fault of the thread. The next one begins with a new connection.
        await used.end()
        throw error
      }
    },
    connect: async (port) => (await usableThread()).call('connect', port),
    disconnect: () => void thread.call('disconnect').catch(() => undefined),
    close: () => (closing ??= close()),
  }
}

/** Threads that have closed their database and wait for another: to start one takes 60 ms of CPU time. */
const idleThreads = new Set<WriterThread>()

function takeThread(): WriterThread {
  for (const thread of idleThreads) {
    idleThreads.delete(thread)
    if (!thread.hasEnded) return thread
  }
  return startThread({ name: 'writer', module: new URL('./writer-thread.ts', import.meta.url) })
}

async function openInThread(data: WriterThreadData): Promise<{ thread: WriterThread; files: FileIds }> {
  const thread = takeThread()
  thread.keepProcess(true)
  try {
    return { thread, files: await thread.call('open', data) }
  } catch (error) {
    await thread.end()
    // The thread explains why a database cannot be opened, but the class of an error is lost between threads.
    const { message } = error as Error
    throw isLocked(error) ? new DatabaseLocked(message) : new StorageError(message)
  }
}

/**
 * Commits on the writer thread from another thread of the process. `connect` hands a port to it. When a writer thread has
 * ended, the next commit connects to the one after it.
 */
export function portCommitter(connect: (port: MessagePort) => Promise<void>): Committer {
  let opened: { port: MessagePort; writer: Promise<Pick<Calls<WriterFunctions>, 'call'>> } | undefined

  const ended = () => new Error('The writer thread has ended.')

  function open() {
    const { port1: port, port2: writersPort } = new MessageChannel()
    const calls = connectCalls<WriterFunctions>(portChannel(port), {})
    port.on('close', () => {
      calls.end(ended())
      if (opened?.port === port) opened = undefined
    })
    const writer = connect(writersPort).then(() => calls)
    writer.catch(() => port.close())
    return { port, writer }
  }

  return {
    async commit(group) {
      const used = (opened ??= open())
      const writer = await used.writer
      if (used !== opened) throw ended()
      return writer.call('commit', group)
    },
    async close() {
      opened?.port.close()
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
export function inlineCommitter(db: DatabaseSync, guard: Pick<CommitGuard, 'hasLineage' | 'refuse'> = {}): Committer {
  const commit = groupCommit(db, { path: ':memory:', schema: schemaNumber(db), ...guard })
  return {
    commit: async (group) => commit(group),
    async close() {
      db.close()
    },
  }
}
