import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { type FileIds, fileIds, missingFiles } from './database-files.ts'
import { openForWriting } from './database.ts'
import { groupCommit, type WriteRequest } from './writes.ts'

export interface WriterThreadData {
  path: string
  /** The number of the schema that this process writes. */
  schema: number
  lockTimeoutMs: number
}

/** What the thread says once it can write. */
export interface ThreadReady {
  files: FileIds
}

function emptyLog(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The disk is full, say. Whoever opens the database next does it.
  }
}

/** What the writer thread does: the one place that writes. It waits for locks and disks, so that the event loop never does. */
export function runWriter(): void {
  const port = parentPort
  if (port === null) throw new Error('runWriter is for a worker thread')
  const { path, schema, lockTimeoutMs } = workerData as WriterThreadData
  const db = openForWriting(path, undefined, lockTimeoutMs)
  const files = fileIds(path)
  const commit = groupCommit(db, { path, schema, files })

  port.on('message', (group: readonly WriteRequest[] | 'close') => {
    if (group !== 'close') return port.postMessage(commit(group))
    // Brings the log into the database, so that what is left behind is one file, unless another process still uses it.
    // Without waiting for that one: what stays in the log is on disk too. Not into a file that somebody took away.
    if (missingFiles(path, files) === undefined) emptyLog(db)
    db.close()
    port.close()
  })
  port.postMessage({ files } satisfies ThreadReady)
}
