import { openStorage } from '../storage/open.ts'
import { withoutPassword } from '../storage/shared/url.ts'
import { readConfig, readEnvironment } from './shared/config.ts'

/** Opening the storage brings its schema up to date; that is all there is to do. */
export async function migrate(): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  const storage = await openStorage(databaseUrl, { environment })
  await storage.close()
  process.stdout.write(`The database ${withoutPassword(databaseUrl)} is up to date.\n`)
}
