import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from '../shared/errors.ts'

/**
 * Creates the folder of a file and its missing parents. Each is on disk when this returns, so a power loss cannot
 * remove the folder of a database with acknowledged writes.
 */
export function makeFolderOf(path: string): void {
  const folder = dirname(resolve(path))
  try {
    // mkdirSync with `recursive` never returns under /proc.
    for (const missing of missingFolders(folder)) {
      makeFolder(missing)
      flushFolder(dirname(missing))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StorageError(`The folder ${folder} for the database cannot be made (${code}).`)
  }
}

/** From the top down. */
function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let each = folder; statSync(each, { throwIfNoEntry: false }) === undefined; each = dirname(each)) {
    missing.unshift(each)
  }
  return missing
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function flushFolder(folder: string): void {
  // Windows neither can nor must flush a folder.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
