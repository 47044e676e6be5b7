import { accessSync, constants, readdirSync } from 'node:fs'
import { backupInThread } from '../../../storage/backup-job.ts'
import { backupFiles } from '../../shared/backup-files.ts'
import type { Config } from '../../shared/config.ts'
import { Failure } from '../../shared/failure.ts'
import { type Backups, scheduleBackups } from './schedule.ts'
import { openLog } from '../log/log.ts'

const checkIntervalMs = 60_000
/** A backup of a large shop to a slow disk takes hours; one that takes a day hangs. */
const backupTimeoutMs = 24 * 60 * 60 * 1_000

/** Refuses a folder for backups that this user cannot use. A missing one may be a disk that is not mounted. */
export function refuseUnusableBackupFolder({ backupFolder }: Config): void {
  if (backupFolder === undefined) return
  try {
    readdirSync(backupFolder)
    accessSync(backupFolder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(
      `PETSTORE_BACKUP_FOLDER must be a folder that this user may write, got "${backupFolder}" (${code}).`,
    )
  }
}

/** Starts the backups of the settings, if there are any, of the database of this URL. */
export async function startBackups(config: Config, url: string): Promise<Backups | undefined> {
  const { backupFolder, backupEveryMs, backupKeep, databaseUrl, environment, logLevel } = config
  if (backupFolder === undefined) return undefined
  const log = await openLog(logLevel)
  const backups = scheduleBackups({
    files: backupFiles(backupFolder, databaseUrl),
    everyMs: backupEveryMs,
    maxBackups: backupKeep,
    clock: Date.now,
    backUp: (file, signal) => backupInThread({ url, file, environment }, backupTimeoutMs, signal),
    succeeded: (file, milliseconds) => log.info({ file, ms: Math.round(milliseconds) }, 'made a backup'),
    failed(error) {
      const { code, syscall, message } = error as NodeJS.ErrnoException
      const reason = syscall === undefined ? message : `The folder ${backupFolder} cannot be used (${code}).`
      log.error(`A backup failed and is tried again in a minute: ${reason}`)
    },
  })
  setInterval(() => void backups.check(), checkIntervalMs).unref()
  void backups.check()
  return backups
}
