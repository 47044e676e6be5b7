import { openStorage } from '../storage/open.ts'
import { withoutPassword } from '../storage/shared/url.ts'
import { readConfig } from './shared/config.ts'
import { readEnvironment } from './shared/environment.ts'

/** Opening the storage migrates its schema. */
export async function migrate(): Promise<void> {
  const { databaseUrl, environment } = readConfig(readEnvironment())
  let applied: readonly string[] = []
  const storage = await openStorage(databaseUrl, { environment, migrated: (names) => (applied = names) })
  await storage.close()
  const done = applied.length === 0 ? 'nothing had to be changed' : `applied ${applied.join(', ')}`
  process.stdout.write(`The database ${withoutPassword(databaseUrl)} is up to date: ${done}.\n`)
}
