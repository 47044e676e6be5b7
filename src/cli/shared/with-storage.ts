import type { Storage } from '../../inventory/storage.ts'
import { openStorage } from '../../storage/open.ts'
import { type Config, readConfig, readEnvironment } from './config.ts'
import { Failure } from './failure.ts'

/** Opens the configured storage for one task on `what`, a plural noun, and closes it. */
export async function withStorage(
  what: string,
  work: (storage: Storage, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(readEnvironment())
  if (config.databaseUrl === 'sqlite::memory:') {
    throw new Failure(
      `${what} of an in-memory database are lost when its process ends: set PETSTORE_DATABASE_URL to a file.`,
    )
  }
  const storage = await openStorage(config.databaseUrl, { environment: config.environment })
  try {
    await work(storage, config)
  } finally {
    await storage.close()
  }
}
