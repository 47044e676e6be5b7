import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../shared/errors.ts'
import { refuseLogAlone } from './create-file.ts'
import { fileUrl, openConnection } from './database.ts'
import { sqliteCode, sqliteCodeOf } from './errors.ts'

const attemptMs = 100
/** SQLite looks for the end of a lock ten times a second. Chance adds to it, so that two processes do not keep step. */
const pauseMs = { least: 120, chance: 200 }

/**
 * Opens a database so that no other process can, and changes nothing. Refuses one that another process has open; `next`
 * is what to do when it is closed. Returns nothing as soon as `isNeedless`, which is asked after each attempt.
 */
export function lockDatabase(
  path: string,
  next: string,
  timeoutMs: number,
  isNeedless = () => false,
): DatabaseSync | undefined {
  refuseLogAlone(path)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const db = tryToLock(path, Math.min(timeoutMs, attemptMs))
    if (db !== undefined) return db
    if (isNeedless()) return undefined
    if (performance.now() > deadline)
      throw new StorageError(`The database ${path} is in use: stop the service, then ${next}.`)
    // Two processes that wait both have it open, and would wait for each other for ever.
    sleep(pauseMs.least + Math.random() * pauseMs.chance)
  }
}

function tryToLock(path: string, timeoutMs: number): DatabaseSync | undefined {
  const db = openConnection(fileUrl(path, { mode: 'rw' }), { timeout: timeoutMs })
  try {
    // In this mode the lock is taken on the whole file, which every open connection shares, and held until the close. It
    // must be set before the first read.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
    return db
  } catch (error) {
    db.close()
    if (sqliteCodeOf(error) !== sqliteCode.busy) throw error
    return undefined
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
