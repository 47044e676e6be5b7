import type { DatabaseSync } from 'node:sqlite'
import { type FileIds, isOnlyLogDeleted } from '../connection/database-files.ts'
import { emptyLog } from './write-ahead-log.ts'

/** How long to wait for readers. */
const waitMs = 1_000

/**
 * Saves what is in a log that was deleted under this connection. The log is still open and complete, and the database is
 * the same, so a checkpoint moves all of it there. Returns whether everything is saved.
 */
export function saveDeletedLog(db: DatabaseSync, path: string, files: FileIds): boolean {
  return isOnlyLogDeleted(path, files) && emptyLog(db, waitMs)
}

/** What to do when files are missing, as a sentence for the operator. Never what would lose data. */
export function adviceFor(path: string, isSaved: boolean): string {
  return isSaved
    ? `What only the log had was saved: everything that was stored is in ${path} now. Restart the service.`
    : 'Put them back. If they are gone, export the shop from this service before you stop it: it can still be read.'
}
