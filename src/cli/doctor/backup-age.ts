import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { readDatabaseUrl } from '../../storage/shared/url.ts'
import { backupFiles } from '../shared/backup-files.ts'
import type { Config } from '../shared/config.ts'
import { readableByOthers, statsOf } from './files.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** A backup may take this long. */
const graceMs = 3_600_000

/** Whether a broken disk would take the database and its backups. Nothing without a folder for them. */
export function checkBackupDisk({ backupFolder, databaseUrl }: Config, deviceOf = diskOf): Finding[] {
  const database = readDatabaseUrl(databaseUrl)
  if (backupFolder === undefined || database.engine !== 'sqlite') return []
  const disk = deviceOf(backupFolder)
  if (disk === undefined || disk !== deviceOf(dirname(database.path))) return []
  const sentence = `${backupFolder} is on the disk of the database, and a broken disk would take both`
  return [warning('backup', `${sentence}: name a folder on another disk, or copy the backups to another machine.`)]
}

/** The number that the system gives to the disk of a folder; undefined if it cannot be seen. */
function diskOf(folder: string): number | undefined {
  return statsOf(folder)?.dev
}

/** Whether scheduled backups are made. Nothing without a folder for them. */
export async function checkBackups(
  { backupFolder, backupEveryMs, databaseUrl }: Config,
  now: number,
): Promise<Finding[]> {
  if (backupFolder === undefined) return []
  try {
    accessSync(backupFolder, constants.R_OK | constants.W_OK)
    // Those from the future were made before the clock was set back: the service does not count them either.
    const files = await backupFiles(backupFolder, databaseUrl).list()
    const open = readableByOthers(
      'backup',
      files.map(({ path }) => path),
    )
    const latest = files.findLast(({ at }) => at <= now)
    if (latest === undefined) {
      return [warning('backup', `${backupFolder} has no backup yet: petstore serve makes them.`)]
    }
    const made = `The latest backup is from ${new Date(latest.at).toISOString()}`
    if (now - latest.at <= backupEveryMs + graceMs) return [ok('backup', `${made}.`), ...open]
    return [problem('backup', `${made}: the log of the service says why there is no later one.`), ...open]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const sentence = `PETSTORE_BACKUP_FOLDER must be a folder that this user may write, got "${backupFolder}" (${code}).`
    return [problem('backup', sentence)]
  }
}
