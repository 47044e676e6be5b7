import { statSync } from 'node:fs'

/** Device and inode of each file of a database when it was opened. */
export type FileIds = readonly (string | undefined)[]

/** SQLite keeps these open as long as the database, and never replaces one. */
const endings = ['', '-wal', '-shm']

/** Call it after a connection has read from the database: the log is created then. */
export function fileIds(path: string): FileIds {
  return endings.map((ending) => {
    const file = statSync(path + ending, { bigint: true, throwIfNoEntry: false })
    return file === undefined ? undefined : `${file.dev} ${file.ino}`
  })
}

/**
 * Data written to a file without a name are lost with the process. Returns what is wrong, as a sentence for the
 * operator; undefined if all files are in place. What to do depends on what is saved (save-log.ts).
 */
export function missingFiles(path: string, opened: FileIds): string | undefined {
  const now = idsNow(path)
  const wrong = endings.filter((_ending, index) => now[index] === undefined || now[index] !== opened[index])
  if (wrong.length === 0) return undefined
  const names = wrong.map((ending) => path + ending).join(', ')
  return `The files of the database were moved, deleted or replaced under the running service (${names}).`
}

/**
 * Whether the database is in place, and its log or the index of the log has no name any more. If another file has the
 * name, another program may have begun to write there.
 */
export function isOnlyLogDeleted(path: string, opened: FileIds): boolean {
  const now = idsNow(path)
  const isLogOurs = now.slice(1).every((id, index) => id === undefined || id === opened[index + 1])
  return now[0] !== undefined && now[0] === opened[0] && isLogOurs
}

// A parent folder may be missing or be a file by now.
function idsNow(path: string): FileIds {
  try {
    return fileIds(path)
  } catch {
    return []
  }
}
