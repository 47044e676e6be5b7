import { stat } from 'node:fs/promises'
import { backupStorage } from '../../storage/backup.ts'
import { megabytes, seconds } from './format-numbers.ts'
import { readConfig } from '../shared/config.ts'
import { readEnvironment } from '../shared/environment.ts'

export async function backup(file: string): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  const start = performance.now()
  await backupStorage(databaseUrl, file, environment)
  const took = performance.now() - start
  const { size } = await stat(file)
  process.stdout.write(`Backed up ${databaseUrl} to ${file}: ${megabytes(size)} in ${seconds(took)}.\n`)
}
