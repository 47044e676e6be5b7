import type { MessagePort } from 'node:worker_threads'
import { connectCalls, portChannel } from '../../../threads/calls.ts'
import { type FileIds, fileIds, missingFiles } from '../connection/database-files.ts'
import { openForWriting } from '../connection/database.ts'
import { isImportWrite } from './import-writes.ts'
import { adviceFor, saveDeletedLog } from './save-log.ts'
import { emptyLog, limitLog } from './write-ahead-log.ts'
import { groupCommit, type WriteRequest, type WriteResult } from './writes.ts'

export interface WriterThreadData {
  path: string
  /** The schema number of this process. */
  schema: number
  lockTimeoutMs: number
}

/** How long a group of another thread waits for one of the first thread, to share its fsync. */
const shareMs = 10
/**
 * How long a group of another thread waits for the lock of another program, if none of the first thread came. A group of
 * the first thread that arrives meanwhile waits behind it, and has to be done within the timeout of a write.
 */
const aloneLockTimeoutMs = 500

interface WaitingGroup {
  group: readonly WriteRequest[]
  resolve(results: WriteResult[]): void
  reject(error: unknown): void
}

export type WriterFunctions = ReturnType<typeof run>

/**
 * The writer thread, the only place that writes. It waits for locks and disks, so that the event loop never does. It has
 * one database at a time.
 */
export function run() {
  let database: ReturnType<typeof openDatabase> | undefined
  const ports = new Set<MessagePort>()
  let waiting: WaitingGroup[] = []
  let timer: NodeJS.Timeout | undefined

  /** A part of an import is a group of its own. */
  function takeWaiting(group: readonly WriteRequest[]): WaitingGroup[] {
    if (group.some(([name]) => isImportWrite(name))) return []
    const taken = waiting
    forgetWaiting()
    return taken
  }

  function forgetWaiting(): void {
    waiting = []
    clearTimeout(timer)
    timer = undefined
  }

  /** Commits the groups of other threads by themselves. */
  function commitWaiting(): void {
    database?.withLockTimeout(aloneLockTimeoutMs, () => commit([]))
  }

  function commit(group: readonly WriteRequest[]): WriteResult[] {
    const opened = database
    if (opened === undefined) throw new Error('no database is open')
    const shared = takeWaiting(group)
    try {
      const results = opened.commit([...group, ...shared.flatMap((each) => each.group)])
      // After the results are sent.
      setImmediate(() => opened === database && opened.keepLogShort())
      const own = results.splice(0, group.length)
      for (const each of shared) each.resolve(results.splice(0, each.group.length))
      return own
    } catch (error) {
      for (const each of shared) each.reject(error)
      throw error
    }
  }

  function disconnect(): void {
    forgetWaiting()
    for (const port of ports) port.close()
    ports.clear()
  }

  return {
    open(data: WriterThreadData): FileIds {
      database = openDatabase(data)
      return database.files
    },

    commit,

    /** Lets another thread commit through this port until `disconnect`. */
    connect(port: MessagePort): void {
      ports.add(port)
      port.on('close', () => ports.delete(port))
      const functions = {
        async commit(group: readonly WriteRequest[]): Promise<WriteResult[]> {
          // What was sent before the end may arrive after it, when another database is open.
          if (!ports.has(port)) throw new Error('the port is closed')
          return new Promise((resolve, reject) => {
            waiting.push({ group, resolve, reject })
            timer ??= setTimeout(commitWaiting, shareMs)
          })
        },
      }
      connectCalls(portChannel(port), functions)
    },

    /** Ends what `connect` began. */
    disconnect,

    /** Returns what was done about missing files, as a sentence for the operator. */
    close(): string | undefined {
      disconnect()
      const done = database?.close()
      database = undefined
      return done
    },
  }
}

function openDatabase({ path, schema, lockTimeoutMs }: WriterThreadData) {
  const db = openForWriting(path, { lockTimeoutMs, create: false })
  const files = fileIds(path)
  return {
    files,
    commit: groupCommit(db, { path, schema, files }),
    keepLogShort: limitLog(db, path),
    withLockTimeout(ms: number, run: () => void): void {
      db.exec(`PRAGMA busy_timeout = ${Math.min(ms, lockTimeoutMs)}`)
      try {
        run()
      } finally {
        db.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`)
      }
    },
    close(): string | undefined {
      const missing = missingFiles(path, files)
      const done = missing && `${missing} ${adviceFor(path, saveDeletedLog(db, path, files))}`
      // Merges the log into the database, so that one file remains, unless another process still uses it. Does not wait
      // for that process: data in the log are on disk too. Skipped if the file was moved away.
      if (missing === undefined) emptyLog(db)
      db.close()
      return done
    },
  }
}
