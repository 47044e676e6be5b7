import { accessSync, constants, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Finding, ok, orOk, problem, warning } from './finding.ts'

const minFreeShare = 0.1
const minFreeBytes = 100 * 1024 * 1024

/** Whether this user may write a database at this path, or make it there, and whether others may not. */
export function checkFolder(path: string, isWritable = mayWrite): Finding[] {
  const folder = existingFolder(path)
  const files = [path, `${path}-wal`, `${path}-shm`].filter(exists)
  const readOnly = [folder, ...files].filter((path) => !isWritable(path))
  const isOpen = mayBe(folder, 0o002) && !mayBe(folder, 0o1000) // A sticky folder, such as /tmp, keeps the files of others.
  return orOk(
    [
      ...readOnly.map((path) => problem('folder', `This user may not write ${path}: change its owner or permissions.`)),
      ...(isOpen ? [warning('folder', `Every user may write ${folder}: run chmod o-w ${folder}.`)] : []),
      ...readableByOthers('folder', files),
    ],
    'folder',
    `This user may write ${exists(path) ? path : folder}.`,
  )
}

/** Databases and backups have customers, notes and the hashes of keys. Versions before this one made them for all. */
export function readableByOthers(check: string, files: readonly string[]): Finding[] {
  const [first, ...others] = files.filter((file) => mayBe(file, 0o066))
  if (first === undefined) return []
  const more = others.length === 0 ? '' : ` and ${others.length} more beside it`
  return [warning(check, `Other users may read or write ${first}${more}: run chmod 600 on all of them.`)]
}

/** Types of file systems, as Linux numbers them, on which a database is not safe. */
const unsafeDisks: Record<number, string> = {
  0x6969: 'NFS, where locks and the write-ahead log do not work reliably',
  0x517b: 'SMB, where locks and the write-ahead log do not work reliably',
  0xff534d42: 'SMB, where locks and the write-ahead log do not work reliably',
  0xfe534d42: 'SMB, where locks and the write-ahead log do not work reliably',
  0x01021994: 'tmpfs, whose files are lost when the machine restarts',
}

/** Whether a disk keeps what is written and has room for more. */
export async function checkDisk(path: string, measure = diskOf): Promise<Finding[]> {
  const { free, size, type } = await measure(existingFolder(path))
  const unsafe = process.platform === 'linux' ? unsafeDisks[type] : undefined
  if (unsafe !== undefined) {
    return [problem('disk', `The disk of ${path} is ${unsafe}: use a local disk.`)]
  }
  const left = `The disk of ${path} has ${Math.floor(free / 1024 / 1024)} MiB free, ${Math.floor((100 * free) / size)} %`
  const advice = `${left}: make room. On a full disk every write fails.`
  if (free < minFreeBytes) return [problem('disk', advice)]
  if (free < size * minFreeShare) return [warning('disk', advice)]
  return [ok('disk', `${left}.`)]
}

async function diskOf(folder: string): Promise<{ free: number; size: number; type: number }> {
  const { bavail, blocks, bsize, type } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize, type }
}

/** The folder of a file, or the nearest one above it that exists. */
function existingFolder(path: string): string {
  let folder = dirname(resolve(path))
  while (!exists(folder)) folder = dirname(folder)
  return folder
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Whether a file or folder has one of these bits of its mode. */
function mayBe(path: string, bits: number): boolean {
  return (statSync(path).mode & bits) !== 0
}
