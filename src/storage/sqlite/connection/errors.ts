import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { StorageError } from '../../shared/errors.ts'
import { tooManyOpenFiles } from '../../shared/open-files.ts'

/** The database, its log and the index of the log. */
const filesOfConnection = 3

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
export const sqliteCode = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

const transientCodes = new Set<number | undefined>([
  sqliteCode.busy,
  sqliteCode.readOnly,
  sqliteCode.ioError,
  sqliteCode.full,
  sqliteCode.cannotOpen,
])

/** Another process has locked the database, perhaps only for a moment. */
export class DatabaseLocked extends StorageError {
  /** Kept between threads, which lose the class. */
  readonly isLocked = true
}

export function isLocked(error: unknown): boolean {
  return (error as Partial<DatabaseLocked> | undefined)?.isLocked === true
}

/** The primary result code of a node:sqlite error, undefined for other errors. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** Whether the failure may be temporary: a held lock, a full disk, a disk that went away. */
export function isTransient(code: number | undefined): boolean {
  return transientCodes.has(code)
}

/** Whether the file is damaged. Retries cannot help, and writes make it worse. */
export function isDamage(code: number | undefined): boolean {
  return code === sqliteCode.corrupt || code === sqliteCode.notADatabase
}

/**
 * Why a database file cannot be used, as a sentence for the operator. Errors that are not SQLite's are returned
 * unchanged.
 */
export function explain(path: string, error: unknown): unknown {
  const { message } = error as Error
  switch (sqliteCodeOf(error)) {
    case sqliteCode.cannotOpen:
    case sqliteCode.readOnly:
      return notOpened(path)
    case sqliteCode.ioError:
      return new StorageError(`The disk of the database ${path} is full or fails (${message}).`)
    case sqliteCode.full:
      return new StorageError(`The disk of the database ${path} is full.`)
    case sqliteCode.corrupt:
      return new StorageError(
        `The database ${path} is damaged (${message}): run petstore check for details, and restore a backup.`,
      )
    case sqliteCode.notADatabase:
      return new StorageError(`${path} is not a SQLite database.`)
    case sqliteCode.busy:
      return new DatabaseLocked(`The database ${path} is locked by another program.`)
    default:
      return error
  }
}

// SQLite also writes beside the file, so the folder must be writable. It does not say why it could not open a file.
function notOpened(path: string): StorageError {
  const tooMany = tooManyOpenFiles(filesOfConnection)
  if (tooMany !== undefined) return new StorageError(`The database ${path} cannot be opened. ${tooMany}`)
  const isUnreadable = refusalOf(path, constants.R_OK) === 'EACCES'
  const places = [path, `${path}-wal`, `${path}-shm`, dirname(path)]
  const [code] = places.flatMap((place) => refusalOf(place, constants.W_OK) ?? [])
  return new StorageError(
    `The database ${path} cannot be ${isUnreadable ? 'read' : 'opened for writing'}${code === undefined ? '' : ` (${code})`}: ` +
      'check the file, its folder and their permissions.',
  )
}

/**
 * Refuses a file that this user may not write. SQLite would open it for reading, and leave a log with the same
 * permissions beside it, which keeps the next start from writing when those of the file are mended.
 */
export function refuseUnwritable(path: string): void {
  if (refusalOf(path, constants.W_OK) !== undefined) throw notOpened(path)
}

/** Refuses a path of which this user cannot find out whether there is a file. */
export function refuseUnreachable(path: string): void {
  if (refusalOf(path, constants.F_OK) !== undefined) throw notOpened(path)
}

/** Why the system refuses access to a file. Undefined if it does not, or if there is no such file. */
function refusalOf(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? undefined : code
  }
}
