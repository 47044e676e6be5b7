import { closeSync, constants, openSync, realpathSync, type Stats, statSync } from 'node:fs'
import { chmod, chown, copyFile, link, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { flush, flushFolder, writeAtomically } from '../../shared/atomic-file.ts'
import { StorageError } from '../../shared/errors.ts'
import { pragma } from '../connection/database.ts'
import { explain, isDamage, sqliteCode, sqliteCodeOf } from '../connection/errors.ts'
import { makeFolderOf, removeFolders } from '../connection/make-folder.ts'

/** How long to wait for a connection that is just closing. */
const lockTimeoutMs = 500
/** Files beside a database. SQLite would apply those of an old database to a new one. */
const logs = ['-wal', '-shm', '-journal']

/**
 * Puts a copy of `file` in the place of the database `path`. `approve` may refuse the copy by throwing. Returns the new
 * name of the old database, if there was one.
 */
export async function replaceDatabase(
  path: string,
  file: string,
  overwrite: boolean,
  approve: (copy: string) => Promise<void>,
): Promise<string | undefined> {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old?.isDirectory()) throw new StorageError(`${path} is a folder: name a file in it.`)
  if (old !== undefined && !overwrite) {
    throw new StorageError(
      `The database ${path} exists already: use --overwrite to replace it; it is kept under another name.`,
    )
  }
  const madeFolders = makeFolderOf(path)
  // A rename would replace a symbolic link, not the database.
  const target = old === undefined ? path : realpathSync(path)
  if (old !== undefined) refuseReadOnly(target, path)
  const lock = old === undefined ? undefined : lockDatabase(target, path)
  let keptAs: string | undefined

  async function write(copy: string): Promise<void> {
    try {
      await removeLogs(copy) // Of a killed restore.
      await copyFile(file, copy, constants.COPYFILE_FICLONE)
      await giveRights(copy, old ?? statSync(dirname(target)))
      await approve(copy)
    } finally {
      await removeLogs(copy)
    }
  }

  // Until the rename, `target` is the old database, also after a kill: it gets a second name first, and its log is
  // removed when it is merged or has a second name too.
  async function giveWay(): Promise<void> {
    const isMerged = lock !== undefined && mergeLog(lock, path)
    if (old !== undefined) keptAs = await keep(target, isMerged ? [''] : ['', '-wal', '-journal'])
    await removeLogs(target)
    await flushFolder(dirname(target))
    // Windows does not replace open files.
    if (process.platform === 'win32') lock?.close()
  }

  try {
    await writeAtomically(target, write, giveWay)
    return keptAs
  } catch (error) {
    removeFolders(madeFolders)
    throw error
  } finally {
    if (lock?.isOpen) lock.close()
  }
}

/** SQLite would report a failing disk. */
function refuseReadOnly(path: string, shown: string): void {
  try {
    closeSync(openSync(path, 'r+'))
  } catch (error) {
    throw new StorageError(`This user may not write the database ${shown} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/**
 * Keeps every other process from opening the database, and changes nothing. Undefined for a file that is so damaged
 * that SQLite cannot lock it: no service can use it either.
 */
function lockDatabase(path: string, shown: string): DatabaseSync | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: lockTimeoutMs })
    // In this mode the lock is taken on the whole file, which every open connection shares, and held until the close.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
    return db
  } catch (error) {
    db?.close()
    const code = sqliteCodeOf(error)
    if (isDamage(code)) return undefined
    if (code !== sqliteCode.busy) throw explain(shown, error)
    throw new StorageError(`The database ${shown} is in use: stop the service, then restore.`)
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
async function keep(path: string, endings: readonly string[]): Promise<string> {
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

async function removeLogs(path: string): Promise<void> {
  for (const ending of logs) await rm(path + ending, { force: true })
}

/** A restore by root must leave a file that the service can write. `like` is the old database, or its folder. */
async function giveRights(path: string, like: Stats): Promise<void> {
  await chmod(path, like.isFile() ? like.mode & 0o777 : 0o644 & ~process.umask())
  if (process.getuid?.() === 0) await chown(path, like.uid, like.gid)
}
