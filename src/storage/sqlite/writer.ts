import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../../inventory/errors.ts'
import { sqliteCode } from './database.ts'
import {
  groupCommit,
  type WriteFailure,
  type WriteName,
  type WriteRequest,
  type WriteResult,
  type Writes,
} from './writes.ts'

export interface Writer {
  /** Resolves once the write is on disk. */
  write<Name extends WriteName>(name: Name, input: Parameters<Writes[Name]>[0]): Promise<ReturnType<Writes[Name]>>
  /** Throws when no write could succeed. */
  check(): void
  /** Finishes what is waiting, then stops. */
  close(): Promise<void>
}

interface Waiting {
  request: WriteRequest
  resolve: (value: never) => void
  reject: (error: Error) => void
}

/** Beyond this many, writes are refused: the disk cannot keep up and waiting longer helps nobody. */
const queueBound = 10_000
/** Keeps a transaction, and so the wait of those behind it, short. */
const groupBound = 1_000

/** A writer on a thread of its own. While one group is being committed the next one gathers. */
export async function threadWriter(path: string): Promise<Writer> {
  const thread = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { path } })
  await once(thread, 'message') // 'ready'; an error while opening rejects

  let queue: Waiting[] = []
  let group: Waiting[] = []
  let scheduled = false
  let stopped: Error | undefined
  let drained: (() => void) | undefined

  function schedule(): void {
    if (scheduled || group.length > 0 || queue.length === 0) return
    scheduled = true
    // After this turn of the event loop: all requests that arrived in it share the commit.
    setImmediate(send)
  }

  function send(): void {
    scheduled = false
    group = queue.slice(0, groupBound)
    queue = queue.slice(groupBound)
    thread.postMessage(group.map(({ request }) => request))
  }

  thread.on('message', (results: WriteResult[]) => {
    const answered = group
    group = []
    answered.forEach((waiting, index) => settle(waiting, results[index] as WriteResult))
    schedule()
    if (group.length + queue.length === 0) drained?.()
  })

  function stop(reason: Error): void {
    stopped ??= reason
    for (const { reject } of [...group, ...queue])
      reject(unavailable('The animals cannot be changed right now; try again.', reason))
    group = []
    queue = []
    drained?.()
  }
  thread.on('error', stop)
  thread.on('exit', () => stop(new Error('The writer thread has ended.')))

  return {
    write(name, input) {
      if (stopped !== undefined)
        return Promise.reject(unavailable('The service is stopping or broken; try again.', stopped))
      if (group.length + queue.length >= queueBound) {
        return Promise.reject(unavailable('Too many writes are waiting; try again.'))
      }
      return new Promise((resolve, reject) => {
        queue.push({ request: [name, input], resolve, reject })
        schedule()
      })
    },
    check() {
      if (stopped !== undefined) throw unavailable('Nothing can be written.', stopped)
    },
    async close() {
      if (stopped !== undefined) return
      stopped = new Error('The storage was closed.')
      if (group.length + queue.length > 0) await new Promise<void>((resolve) => (drained = resolve))
      thread.postMessage('close')
      await once(thread, 'exit')
    },
  }
}

/** A writer on the event loop, for a database in memory, which no other thread can see. */
export function inlineWriter(db: DatabaseSync, committed: () => void): Writer {
  const commit = groupCommit(db)
  return {
    write(name, input) {
      return new Promise((resolve, reject) => {
        const [result] = commit([[name, input]])
        committed()
        settle({ request: [name, input], resolve, reject }, result as WriteResult)
      })
    },
    check() {},
    async close() {},
  }
}

function settle({ resolve, reject }: Waiting, result: WriteResult): void {
  if ('value' in result) resolve(result.value as never)
  else reject(failure(result.failure))
}

const passing: readonly (number | undefined)[] = Object.values(sqliteCode)

// A full disk or a held lock passes; anything else SQLite or we refuse is a bug and must look like one.
function failure({ message, sqliteCode: code }: WriteFailure): Error {
  const cause = new Error(message)
  return passing.includes(code) ? unavailable('The change could not be stored right now; try again.', cause) : cause
}
