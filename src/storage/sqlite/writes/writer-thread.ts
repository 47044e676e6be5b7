import { parentPort, workerData } from 'node:worker_threads'
import { type FileIds, fileIds, missingFiles } from '../connection/database-files.ts'
import { openForWriting } from '../connection/database.ts'
import { emptyLog, limitLog } from './write-ahead-log.ts'
import { groupCommit, type WriteRequest } from './writes.ts'

export interface WriterThreadData {
  path: string
  /** The schema number of this process. */
  schema: number
  lockTimeoutMs: number
}

/** The thread's message when it can write. */
export interface ThreadReady {
  files: FileIds
}

/**
 * Runs the writer thread, the only place that writes. It waits for locks and disks, so that the event loop never does.
 */
export function runWriter(): void {
  const port = parentPort
  if (port === null) throw new Error('runWriter is for a worker thread')
  const { path, schema, lockTimeoutMs } = workerData as WriterThreadData
  const db = openForWriting(path, { lockTimeoutMs, create: false })
  const files = fileIds(path)
  const commit = groupCommit(db, { path, schema, files })
  const keepLogShort = limitLog(db, path)

  port.on('message', (group: readonly WriteRequest[] | 'close') => {
    if (group !== 'close') {
      port.postMessage(commit(group))
      return keepLogShort()
    }
    // Merges the log into the database, so that one file remains, unless another process still uses it. Does not wait
    // for that process: data in the log are on disk too. Skipped if the file was moved away.
    if (missingFiles(path, files) === undefined) emptyLog(db)
    db.close()
    port.close()
  })
  port.postMessage({ files } satisfies ThreadReady)
}
