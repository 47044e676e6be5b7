import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StorageError } from './errors.ts'
import { readDatabaseUrl } from './url.ts'

const endings = ['', '-wal', '-shm', '-journal']

/** Throws if a file that is about to be written is the database or belongs to it: the shop would be lost. */
export function refuseOwnFile(file: string, databaseUrl: string): void {
  const database = readDatabaseUrl(databaseUrl)
  if (database.engine === 'postgres') return
  if (endings.some((ending) => isSameFile(file, database.path + ending)))
    throw new StorageError(`${file} is a file of the database itself: name another one.`)
}

/** Also for two names of one file, and for a file that is not there yet. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [idOf(one), idOf(other)]
  return first !== undefined && second !== undefined ? first === second : canonical(one) === canonical(other)
}

function idOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch {
    return undefined // It is not there, or this user may not look at it.
  }
}

function canonical(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return resolve(path) // There is no such folder.
  }
}
