import type { Storage } from '../../inventory/storage.ts'
import { type OpenOptions, openStorage } from '../../storage/open.ts'
import { leftOut, type UnreadableRow } from '../../storage/shared/rows/unreadable-row.ts'
import { withoutPassword } from '../../storage/shared/url.ts'
import { type Config, readConfig } from './config.ts'
import { readEnvironment } from './environment.ts'
import { Failure } from './failure.ts'

type Work = (storage: Storage, config: Config) => Promise<void>

/** Opens the configured storage, which must exist, for one task on `what`, a plural noun, and closes it. */
export function withStorage(what: string, work: Work): Promise<void> {
  return withOpen(what, { create: false }, work)
}

/** The same for a task that only reads: this user need not be allowed to write. */
export function readStorage(what: string, work: Work): Promise<void> {
  return withOpen(what, { readOnly: true }, work)
}

async function withOpen(what: string, access: Pick<OpenOptions, 'create' | 'readOnly'>, work: Work): Promise<void> {
  const config = readConfig(readEnvironment())
  if (config.databaseUrl === 'sqlite::memory:') {
    throw new Failure(
      `${what} of an in-memory database are lost when its process ends: set PETSTORE_DATABASE_URL to a file.`,
    )
  }
  const storage = await openStorage(config.databaseUrl, { environment: config.environment, ...access })
  leftOut.subscribe(reportLeftOut)
  try {
    await work(storage, config)
  } finally {
    leftOut.unsubscribe(reportLeftOut)
    await storage.close()
  }
}

/** What is printed lacks a row that is damaged: the command says so and fails. */
function reportLeftOut(row: unknown): void {
  process.stderr.write(`${(row as UnreadableRow).message} It was left out: run petstore check.\n`)
  process.exitCode = 1
}

/** The name of the configured database, for messages. */
export function databaseOf({ databaseUrl }: Config): string {
  return withoutPassword(databaseUrl)
}
