import type { Environment } from '../contract/environment.ts'
import { backupStorage } from './backup.ts'

export interface BackupJob {
  url: string
  file: string
  environment: Environment
}

export type BackupFunctions = ReturnType<typeof run>

/** The thread of one backup. */
export function run() {
  return { backUp: ({ url, file, environment }: BackupJob) => backupStorage(url, file, environment) }
}
