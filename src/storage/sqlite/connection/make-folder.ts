import { closeSync, fsyncSync, mkdirSync, openSync, rmdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StorageError } from '../../shared/errors.ts'

/**
 * Creates the folder of a file and its missing parents, for their owner alone. Each is on disk when this returns, so a
 * power loss cannot remove the folder of a database with acknowledged writes. Returns the new folders, from the top
 * down.
 */
export function makeFolderOf(path: string): string[] {
  const folder = dirname(resolve(path))
  try {
    // mkdirSync with `recursive` never returns under /proc.
    const missing = missingFolders(folder)
    for (const each of missing) {
      makeFolder(each)
      flushFolder(dirname(each))
    }
    return missing
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StorageError(`The folder ${folder} for the database cannot be made (${code}).`)
  }
}

/** Removes folders that `makeFolderOf` made, unless somebody uses them. */
export function removeFolders(made: readonly string[]): void {
  try {
    for (const folder of made.toReversed()) rmdirSync(folder)
  } catch {
    // Not empty, or already gone.
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
    mkdirSync(folder, 0o700)
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
