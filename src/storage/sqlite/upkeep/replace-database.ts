import { closeSync, constants, openSync, type Stats, statSync } from 'node:fs'
import { chmod, chown, copyFile, link, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { flush, flushFolder, writeAtomically } from '../../shared/atomic-file.ts'
import { StorageError } from '../../shared/errors.ts'
import { hasChanges, refuseOtherKind } from '../connection/create-file.ts'
import { pragma } from '../connection/database.ts'
import { explain, isDamage, sqliteCodeOf } from '../connection/errors.ts'
import { lockDatabase } from '../connection/lock-database.ts'
import { makeFolderOf, removeFolders } from '../connection/make-folder.ts'

/** How long to wait for a connection that is just closing. */
const lockTimeoutMs = 500
/** Files beside a database. SQLite would apply those of an old database to a new one. */
const logs = ['-wal', '-shm', '-journal']

/** The new name of the old database, or of the log that a lost one has left, if there was either. */
export interface PreviousFiles {
  database?: string
  log?: string
}

/**
 * Puts a copy of `file` in the place of the database `path`. `approve` may refuse the copy by throwing. A database
 * that another program makes meanwhile is not replaced.
 */
export async function replaceDatabase(
  path: string,
  file: string,
  overwrite: boolean,
  approve: (copy: string) => Promise<void>,
): Promise<PreviousFiles> {
  refuseOtherKind(path)
  const old = statSync(path, { throwIfNoEntry: false })
  // Of a lost database. No program of ours opens it, because SQLite would delete these logs.
  const lostLogs = old === undefined || old.size === 0 ? logs.filter((ending) => hasChanges(path + ending)) : []
  if (!overwrite) refuseExisting(path, old, lostLogs[0])
  const madeFolders = makeFolderOf(path)
  if (old !== undefined) refuseReadOnly(path)
  const lock = old === undefined || lostLogs.length > 0 ? undefined : lockUnlessDamaged(path)
  let previous: PreviousFiles = {}

  async function write(copy: string): Promise<void> {
    try {
      await copyFile(file, copy, constants.COPYFILE_FICLONE)
      await giveRights(copy, old ?? statSync(dirname(path)))
      await approve(copy)
    } finally {
      await removeLogs(copy)
    }
  }

  // Until the rename, `path` is the old database, also after a kill: it gets a second name first, and its log is
  // removed when it is merged or has a second name too.
  async function giveWay(): Promise<void> {
    const isMerged = lock !== undefined && mergeLog(lock, path)
    if (old !== undefined) previous = { database: await renameAside(path, isMerged ? [''] : ['', '-wal', '-journal']) }
    else if (lostLogs[0] !== undefined) previous = { log: (await renameAside(path, lostLogs)) + lostLogs[0] }
    // Without an old database, other logs are those of a service that was started meanwhile.
    await removeLogs(path, old === undefined ? lostLogs : logs)
    await flushFolder(dirname(path))
    // Windows does not replace open files.
    if (process.platform === 'win32') lock?.close()
  }

  const ifExists = () =>
    new StorageError(`The database ${path} was made meanwhile: stop the service, then restore with --overwrite.`)
  try {
    await writeAtomically(path, write, { beforeRename: giveWay, ...(old === undefined && { ifExists }) })
    return previous
  } catch (error) {
    removeFolders(madeFolders)
    throw error
  } finally {
    if (lock?.isOpen) lock.close()
  }
}

function refuseExisting(path: string, old: Stats | undefined, lostLog: string | undefined): void {
  if (lostLog !== undefined) {
    throw new StorageError(
      `The database ${path} is lost, but ${path}${lostLog} has changes for it: put the database back, or use ` +
        '--overwrite; the log is kept under another name.',
    )
  }
  if (old === undefined) return
  throw new StorageError(
    `The database ${path} exists already: use --overwrite to replace it; it is kept under another name.`,
  )
}

/** SQLite would report a failing disk. */
function refuseReadOnly(path: string): void {
  try {
    closeSync(openSync(path, 'r+'))
  } catch (error) {
    throw new StorageError(`This user may not write the database ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Undefined for a file that is so damaged that SQLite cannot lock it: no service can use it either. */
function lockUnlessDamaged(path: string): DatabaseSync | undefined {
  try {
    return lockDatabase(path, 'restore', lockTimeoutMs)
  } catch (error) {
    if (isDamage(sqliteCodeOf(error))) return undefined
    throw explain(path, error)
  }
}

/** Merges the log into the database, so that it is one file. Returns false if it is too damaged. */
function mergeLog(db: DatabaseSync, shown: string): boolean {
  try {
    return pragma(db, 'journal_mode = DELETE') === 'delete'
  } catch (error) {
    if (isDamage(sqliteCodeOf(error))) return false
    throw explain(shown, error)
  }
}

/** Gives a database, and a log that could not be merged, a second name with the time. */
async function renameAside(path: string, endings: readonly string[]): Promise<string> {
  const newPath = `${path}.replaced-${new Date().toISOString().replaceAll(':', '-')}`
  for (const ending of endings) {
    if (statSync(path + ending, { throwIfNoEntry: false }) === undefined) continue
    // Some file systems have no hard links.
    await link(path + ending, newPath + ending).catch(() =>
      copyFile(path + ending, newPath + ending, constants.COPYFILE_EXCL),
    )
    await flush(newPath + ending)
  }
  return newPath
}

async function removeLogs(path: string, endings: readonly string[] = logs): Promise<void> {
  for (const ending of endings) await rm(path + ending, { force: true })
}

/** A restore by root must leave a file that the service can write. `like` is the old database, or its folder. */
async function giveRights(path: string, like: Stats): Promise<void> {
  await chmod(path, like.isFile() ? like.mode & 0o777 : 0o600)
  if (process.getuid?.() === 0) await chown(path, like.uid, like.gid)
}
