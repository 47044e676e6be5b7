import { statSync } from 'node:fs'

/** The files of a database as they were when it was opened: device and inode of each. */
export type FileIds = readonly (string | undefined)[]

/** SQLite holds these open for as long as the database is, and never puts another in the place of one. */
const endings = ['', '-wal', '-shm']

/** Read this once a connection has read from the database: the log is made then. */
export function fileIds(path: string): FileIds {
  return endings.map((ending) => {
    const file = statSync(path + ending, { bigint: true, throwIfNoEntry: false })
    return file === undefined ? undefined : `${file.dev} ${file.ino}`
  })
}

/**
 * What is written to a file that has no name any more is lost with the process. Returns what is wrong, in a sentence for
 * the operator; undefined while all files are in their places.
 */
export function missingFiles(path: string, opened: FileIds): string | undefined {
  const now = idsNow(path)
  const wrong = endings.filter((_ending, place) => now[place] === undefined || now[place] !== opened[place])
  if (wrong.length === 0) return undefined
  const names = wrong.map((ending) => path + ending).join(', ')
  return `The files of the database were moved, deleted or replaced under the running service (${names}): put them back, or restart the service.`
}

// A folder above may be gone too, or be a file by now.
function idsNow(path: string): FileIds {
  try {
    return fileIds(path)
  } catch {
    return []
  }
}
