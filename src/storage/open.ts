import type { Storage } from '../inventory/storage.ts'
import { StorageError } from './shared/errors.ts'
import type { EngineOptions } from './shared/ports/open-options.ts'
import type { ThreadRelay } from './shared/writes/relay.ts'
import { openSqlite } from './sqlite/open.ts'
import { readDatabaseUrl } from './shared/url.ts'

export type OpenOptions = Partial<EngineOptions>

/** An open engine, with a relay if other processes and threads may write through this one. */
export type OpenStorage = Storage & { readonly relay?: ThreadRelay }

/** Opens the engine of a database URL. Makes the database or migrates its schema, unless `create` is false. */
export async function openStorage(
  url: string,
  { clock = Date.now, ...options }: OpenOptions = {},
): Promise<OpenStorage> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    // Loaded on demand: a start on SQLite does not pay for the driver.
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres(database.url, { ...options, clock })
  }
  if (options.readUrl !== undefined) throw new StorageError('A SQLite database has no replicas to read from.')
  return openSqlite(database.path, { ...options, clock })
}
