import { closeSync, existsSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { StorageError } from '../../shared/errors.ts'
import { refuseUnreachable } from './errors.ts'
import { makeFolderOf } from './make-folder.ts'

const walIndexVersion = 3_007_000

/** Makes an empty database file, for its owner alone, unless there is one. SQLite gives its logs the same rights. */
export function createFile(path: string): void {
  refuseLogAlone(path)
  makeFolderOf(path)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
      throw new StorageError(`The disk of the database ${path} is full.`)
    }
    // It exists, or SQLite cannot open it either: that explains why.
  }
}

/** Refuses a folder, a pipe or a device. SQLite would wait for ever, or report a failing disk. */
export function refuseOtherKind(path: string): void {
  const found = statsOf(path)
  if (found === undefined || found.isFile()) return
  throw new StorageError(`${path} is ${found.isDirectory() ? 'a folder: name a file in it' : 'not a file'}.`)
}

/**
 * Refuses a log without its database. SQLite would delete the log as soon as a connection reads from an empty file, and
 * with it what was acknowledged and is not in the database yet. Refuses what is no file, too.
 */
export function refuseLogAlone(path: string): void {
  refuseOtherKind(path)
  // The logs first: a database that is just being created is no longer empty when it has one.
  const log = logOf(path)
  if (log === undefined) return
  const size = sizeOf(path)
  if (size !== undefined && size > 0) return
  const name = basename(path)
  throw new StorageError(
    `The database ${path} is ${size === undefined ? 'missing' : 'empty'}, but ${name}${log} has changes for it: put the ` +
      'database back, or restore a backup with petstore restore --overwrite.',
  )
}

/** The databases that this process may have open. Its other threads open no database that this one has not opened. */
const opened = new Set<string>()

/** Called before a connection is made. */
export function rememberOpened(path: string): void {
  opened.add(resolve(path))
}

/**
 * Refuses a database whose log was deleted while it had changes that the database has not: as far as that is known, from
 * the index of the log (https://sqlite.org/walformat.html#the_wal_index_file_format), which an ended process leaves.
 * Only before the first connection of this process. The index has the locks of all its connections, and whoever closes
 * a file gives up all locks of the process on it: another process would then truncate the index, which is mapped.
 */
export function refuseLostLog(path: string): void {
  if (opened.has(resolve(path)) || logOf(path) !== undefined) return
  const lost = pagesInLog(`${path}-shm`)
  if (lost === 0) return
  throw new StorageError(
    `The log ${path}-wal was deleted, and ${lost} changed pages in it are not in the database: put the log back, or ` +
      `restore a backup. If a service still runs with it, do not stop it before it has said that they are saved. To go ` +
      `on without these changes, remove ${basename(path)}-shm.`,
  )
}

/** How many pages the log has that are not in the database yet, as its index says, in the byte order of the machine. */
function pagesInLog(index: string): number {
  const header = new Uint32Array(25)
  try {
    const descriptor = openSync(index, 'r')
    try {
      if (readSync(descriptor, new Uint8Array(header.buffer)) < header.byteLength) return 0
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return 0 // There is none, or SQLite explains why it cannot be read.
  }
  const [version, , , , pages = 0] = header
  const copied = header[24] ?? 0
  return version === walIndexVersion ? Math.max(pages - copied, 0) : 0
}

/** Refuses a missing database. `rest` ends the sentence. */
export function refuseMissing(path: string, rest: string): void {
  refuseLogAlone(path)
  refuseUnreachable(path)
  if (!existsSync(path)) throw new StorageError(`There is no database ${path}${rest}.`)
}

/** The ending of the log that has changes for this database. */
function logOf(path: string): string | undefined {
  return ['-wal', '-journal'].find((ending) => hasChanges(path + ending))
}

/** Whether a log has pages of a database. The journal of a first start that was killed has none. */
export function hasChanges(log: string): boolean {
  const size = sizeOf(log) ?? 0
  return log.endsWith('-journal') ? size > 0 && pagesBefore(log) > 0 : size > 0
}

/** In bytes. */
function sizeOf(path: string): number | undefined {
  return statsOf(path)?.size
}

/** Undefined if there is no such file, or something is wrong with its folder: making or opening it says what. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/**
 * The size of the database before the transaction of a journal, in pages (https://sqlite.org/fileformat.html). A journal
 * that is gone meanwhile was that of a process that makes the database, and has committed.
 */
function pagesBefore(journal: string): number {
  const header = Buffer.alloc(20)
  let descriptor: number
  try {
    descriptor = openSync(journal, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  try {
    readSync(descriptor, header, 0, header.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return header.readUInt32BE(16)
}
