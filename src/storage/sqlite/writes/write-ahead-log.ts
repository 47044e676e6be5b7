import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pragma } from '../connection/database.ts'

const maxLogBytes = 64 * 1024 * 1024
/** How long a commit may wait for readers, who read for a tick of the event loop, so that the log can be emptied. */
const waitMs = 100

/**
 * Limits the log. SQLite begins it anew by itself only if a checkpoint meets no reader at all, which may never happen
 * while several workers read. The returned function runs after each commit: it empties a log that is too long, and waits
 * a moment for the readers. If one reads for longer, such as a backup, it tries again when the log has grown by as much.
 */
export function limitLog(db: DatabaseSync, path: string, maxBytes = maxLogBytes): () => void {
  let limit = maxBytes
  return () => {
    const bytes = sizeOf(`${path}-wal`)
    if (bytes <= limit) return
    limit = emptyLog(db, waitMs) ? maxBytes : bytes + maxBytes
  }
}

/** Merges the log into the database and empties it. Returns false if readers prevent that for longer than `timeoutMs`. */
export function emptyLog(db: DatabaseSync, timeoutMs = 0): boolean {
  const lockTimeoutMs = pragma(db, 'busy_timeout') as number
  try {
    db.exec(`PRAGMA busy_timeout = ${timeoutMs}`)
    return pragma(db, 'wal_checkpoint(TRUNCATE)') === 0 // The first value: whether it was blocked.
  } catch {
    return false // For example, the disk is full. What is in the log is on disk, too.
  } finally {
    db.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`)
  }
}

/** In bytes; 0 if the file cannot be found or its folder cannot be read. The commit reports that (database-files.ts). */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
