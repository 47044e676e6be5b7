import { access, constants, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StorageError } from './errors.ts'

/**
 * Lets `write` create a file beside `path` and renames it to `path` when it is on disk. So `path` is always a complete
 * file, and an existing file stays until then. `beforeRename` runs in between. A killed process leaves `path.partial`.
 */
export async function writeAtomically(
  path: string,
  write: (partial: string) => Promise<void>,
  beforeRename: () => Promise<void> = async () => undefined,
): Promise<void> {
  const before = await stat(path).catch(() => undefined)
  // As root, the rename would replace /dev/null.
  if (before !== undefined && !before.isFile()) throw new StorageError(`${path} is not a file.`)
  const partial = `${path}.partial`
  try {
    await access(dirname(path), constants.W_OK)
    await rm(partial, { force: true })
    await write(partial)
    await flush(partial)
    await beforeRename()
    await rename(partial, path)
    await flushFolder(dirname(path))
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw explain(path, error)
  }
}

/** A folder contains the names of its files. Windows neither can nor must flush a folder. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await flush(path, 'r')
}

export async function flush(path: string, flags = 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function explain(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined ? error : new StorageError(`The file ${path} cannot be written (${code}).`)
}
