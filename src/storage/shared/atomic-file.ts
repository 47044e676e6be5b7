import { access, constants, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomText } from '../../inventory/random-text.ts'
import { StorageError } from './errors.ts'

export interface AtomicOptions {
  /** Runs when the file is on disk, before it gets its name. */
  beforeRename?: () => Promise<void>
  /** For a file that must be new: the refusal if another program made it meanwhile. */
  ifExists?: () => StorageError
}

/**
 * Lets `write` fill a file beside `path`, for its owner alone, and renames it to `path` when it is on disk. So `path` is
 * always a complete file, and an existing file stays until then. Each call has a file of its own. One that a killed
 * process left is removed by the next call for the same path.
 */
export async function writeAtomically(
  path: string,
  write: (partial: string) => Promise<void>,
  { beforeRename, ifExists }: AtomicOptions = {},
): Promise<void> {
  const before = await stat(path).catch(() => undefined)
  // As root, the rename would replace /dev/null.
  if (before !== undefined && !before.isFile()) throw new StorageError(`${path} is not a file.`)
  const partial = `${path}.partial-${process.pid}-${randomText(6)}`
  try {
    await access(dirname(path), constants.W_OK)
    await removeAbandoned(dirname(path), (name) => name === basename(path))
    await (await open(partial, 'wx', 0o600)).close()
    await write(partial)
    await flush(partial)
    await beforeRename?.()
    await (ifExists === undefined ? rename(partial, path) : renameToNew(partial, path, ifExists))
    await flushFolder(dirname(path))
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw explain(path, error)
  }
}

/** Unlike a rename, a link does not replace a file that another program has just made. */
async function renameToNew(partial: string, path: string, ifExists: () => StorageError): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || (await stat(path).catch(() => undefined)) !== undefined) throw ifExists()
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code)) throw error
    return rename(partial, path) // Some file systems have no hard links.
  }
  await rm(partial)
}

/**
 * Removes the partial files of killed processes, with what SQLite made beside them, if `isWanted` is true for the name
 * that the file would have got; with `own` also those of this process.
 */
export async function removeAbandoned(folder: string, isWanted: (name: string) => boolean, own = false): Promise<void> {
  for (const file of await readdir(folder)) {
    const [, name = '', pid = ''] = /^(.+)\.partial-(\d+)-/.exec(file) ?? []
    if (name === '' || !isWanted(name)) continue
    const isOwn = Number(pid) === process.pid
    if (isOwn ? own : !isRunning(Number(pid))) await rm(join(folder, file), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
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
