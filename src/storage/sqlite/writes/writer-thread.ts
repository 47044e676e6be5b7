import { parentPort } from 'node:worker_threads'
import { type FileIds, fileIds, missingFiles } from '../connection/database-files.ts'
import { openForWriting } from '../connection/database.ts'
import { emptyLog, limitLog } from './write-ahead-log.ts'
import { groupCommit, type WriteRequest, type WriteResult } from './writes.ts'

export interface WriterThreadData {
  path: string
  /** The schema number of this process. */
  schema: number
  lockTimeoutMs: number
}

/** A database to open, a group of writes to commit, or the end of the database. */
export type WriterThreadMessage = WriterThreadData | readonly WriteRequest[] | 'close'

/** That the database is open, the results of a group, or that the database is closed. */
export type WriterThreadReply = { files: FileIds } | WriteResult[] | 'closed'

/**
 * Runs the writer thread, the only place that writes. It waits for locks and disks, so that the event loop never does.
 * It has one database at a time; an error that is no result of a write ends it.
 */
export function runWriter(): void {
  const port = parentPort
  if (port === null) throw new Error('runWriter is for a worker thread')
  const reply = (message: WriterThreadReply) => port.postMessage(message)
  let database: ReturnType<typeof openDatabase> | undefined

  port.on('message', (message: WriterThreadMessage) => {
    if (message === 'close') {
      database?.close()
      database = undefined
      reply('closed')
    } else if (database !== undefined && Array.isArray(message)) {
      reply(database.commit(message))
      database.keepLogShort()
    } else {
      database = openDatabase(message as WriterThreadData)
      reply({ files: database.files })
    }
  })
}

function openDatabase({ path, schema, lockTimeoutMs }: WriterThreadData) {
  const db = openForWriting(path, { lockTimeoutMs, create: false })
  const files = fileIds(path)
  return {
    files,
    commit: groupCommit(db, { path, schema, files }),
    keepLogShort: limitLog(db, path),
    close(): void {
      // Merges the log into the database, so that one file remains, unless another process still uses it. Does not wait
      // for that process: data in the log are on disk too. Skipped if the file was moved away.
      if (missingFiles(path, files) === undefined) emptyLog(db)
      db.close()
    },
  }
}
