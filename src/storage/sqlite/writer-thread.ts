import { parentPort, workerData } from 'node:worker_threads'
import { openForWriting } from './database.ts'
import { groupCommit, type WriteRequest } from './writes.ts'

/** What the writer thread does: the one place that writes. It waits for locks and disks, so that the event loop never does. */
export function runWriter(): void {
  const port = parentPort
  if (port === null) throw new Error('runWriter is for a worker thread')
  const db = openForWriting((workerData as { path: string }).path)
  const commit = groupCommit(db)

  port.on('message', (group: readonly WriteRequest[] | 'close') => {
    if (group !== 'close') return port.postMessage(commit(group))
    // Brings the log into the database, so that what is left behind is one file, unless another process still uses it.
    // Without waiting for that one: what stays in the log is on disk too.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    port.close()
  })
  port.postMessage('ready')
}
