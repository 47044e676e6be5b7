import { openStorage } from '../storage/open.ts'
import { withoutPassword } from '../storage/shared/url.ts'
import { readConfig, readEnvironment } from './shared/config.ts'

/** Opening the storage migrates its schema. */
export async function migrate(): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  const storage = await openStorage(databaseUrl, { environment })
  await storage.close()
  process.stdout.write(`The database ${withoutPassword(databaseUrl)} is up to date.\n`)
}
