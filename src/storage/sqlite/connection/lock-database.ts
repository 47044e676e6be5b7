import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../shared/errors.ts'
import { refuseLogAlone } from './create-file.ts'
import { fileUrl, openConnection } from './database.ts'
import { sqliteCode, sqliteCodeOf } from './errors.ts'

/**
 * Opens a database so that no other process can, and changes nothing. Refuses one that another process has open; `next`
 * is what to do when it is closed.
 */
export function lockDatabase(path: string, next: string, timeoutMs: number): DatabaseSync {
  refuseLogAlone(path)
  let db: DatabaseSync | undefined
  try {
    db = openConnection(fileUrl(path, { mode: 'rw' }), { timeout: timeoutMs })
    // In this mode the lock is taken on the whole file, which every open connection shares, and held until the close. It
    // must be set before the first read.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
    return db
  } catch (error) {
    db?.close()
    if (sqliteCodeOf(error) !== sqliteCode.busy) throw error
    throw new StorageError(`The database ${path} is in use: stop the service, then ${next}.`)
  }
}
