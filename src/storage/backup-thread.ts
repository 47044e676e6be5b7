import type { BackupJob } from './backup-job.ts'
import { backupStorage } from './backup.ts'

export type BackupFunctions = ReturnType<typeof run>

/** The thread of one backup. */
export function run() {
  return { backUp: ({ url, file, environment }: BackupJob) => backupStorage(url, file, environment) }
}
