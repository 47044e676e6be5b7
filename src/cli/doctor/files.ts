import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Finding, ok, orOk, problem, warning } from './finding.ts'

const minFreeShare = 0.1
const minFreeBytes = 100 * 1024 * 1024
/** Whether this user may write a database at this path, or make it there, and whether not everybody may. */
export function checkFolder(path: string, refusalOf = writeRefusalOf): Finding[] {
  const folder = existingFolder(path)
  const isMissing = folder !== dirname(resolve(path))
  const files = filesOf(path)
  const notWritable = [folder, ...files].flatMap((path) => {
    const code = refusalOf(path)
    if (code === undefined) return []
    const advice = code === 'EROFS' ? 'mount its disk for writing' : 'change its owner or permissions'
    return [problem('folder', `This user may not write ${path} (${code}): ${advice}.`)]
  })
  const isOpen = hasMode(folder, 0o002) && !hasMode(folder, 0o1000) // A sticky folder, such as /tmp, keeps the files of others.
  return orOk(
    [
      ...(statsOf(folder)?.isDirectory() === false ? [problem('folder', `${folder} is not a folder.`)] : []),
      ...notWritable,
      ...(isOpen ? [warning('folder', `Every user may write ${folder}: run chmod o-w ${folder}.`)] : []),
    ],
    'folder',
    isMissing
      ? `There is no folder ${dirname(path)} yet: petstore serve makes it in ${folder}.`
      : `This user may write ${files.includes(path) ? path : folder}.`,
  )
}

/** Call it for a database of ours: nobody should change the permissions of another file. */
export function checkReaders(path: string): Finding[] {
  return readableByOthers('folder', filesOf(path))
}

/** Those that are there. What is no file is the business of the check of the database. */
function filesOf(path: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`].filter((each) => statsOf(each)?.isFile())
}

/** Databases and backups have customers, notes and the hashes of keys. Versions before this one made them for all. */
export function readableByOthers(check: string, files: readonly string[]): Finding[] {
  const [first, ...others] = files.filter((file) => hasMode(file, 0o066))
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
  const folder = existingFolder(path)
  const measured = await measure(folder).catch(({ code }: NodeJS.ErrnoException) => code)
  if (typeof measured !== 'object') return [problem('disk', `The disk of ${path} cannot be examined (${measured}).`)]
  const { free, size, type } = measured
  if (size === 0) return [problem('disk', `${folder} is on no disk: use a local disk.`)]
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

/** The folder of a file, or the nearest one above it that is there, also if this user may not look into it. */
function existingFolder(path: string): string {
  let folder = dirname(resolve(path))
  while (isMissing(folder)) folder = dirname(folder)
  return folder
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false // A folder of another user, or a mount that is broken.
  }
}

/** Undefined if there is no such file, or if this user may not look at it. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Why the system refuses to write a file, or into a folder. */
function writeRefusalOf(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/** Whether a file or folder has one of these bits of its mode. */
function hasMode(path: string, bits: number): boolean {
  return ((statsOf(path)?.mode ?? 0) & bits) !== 0
}
