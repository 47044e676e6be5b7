import type { Environment } from '../contract/environment.ts'
import type { Clock } from '../inventory/clock.ts'
import type { Storage } from '../inventory/storage.ts'
import { StorageError, type HealthReport } from './shared/errors.ts'
import type { SearchBudget } from './shared/reads/find-by-name.ts'
import type { ThreadRelay, WriteRelay } from './shared/writes/relay.ts'
import { openSqlite } from './sqlite/open.ts'
import { readDatabaseUrl } from './shared/url.ts'

export interface OpenOptions {
  clock?: Clock
  /** The process that writes for this one, for engines with one writer. */
  relay?: WriteRelay
  /** Replicas for lists and single animals, if the engine has them. They may lag. */
  readUrl?: string | undefined
  /** The environment that opens it. A database belongs to the first one; the other is refused. */
  environment?: Environment | undefined
  /** How far a replica may lag before the primary is read instead. */
  maxLagMs?: number | undefined
  /** Whether a missing database is made and an older one migrated. Otherwise both are refused. Default: true. */
  create?: boolean | undefined
  /** Whether it is only read. It is then neither made nor migrated, and need not be writable. Default: false. */
  readOnly?: boolean | undefined
  report?: HealthReport | undefined
  /** Called with the names of the migrations that were applied, if any. */
  migrated?: ((names: readonly string[]) => void) | undefined
  /** How long a write, or an attempt to open, waits for a lock of another program, and a write for its result. For tests. */
  lockTimeoutMs?: number | undefined
  writeTimeoutMs?: number | undefined
  /** How long a read waits for its result from PostgreSQL. For tests. */
  readTimeoutMs?: number | undefined
  /** What a page of a search may cost. For tests. */
  searchBudget?: SearchBudget | undefined
}

/** An open engine, with a relay if other processes and threads may write through this one. */
export type OpenStorage = Storage & { readonly relay?: ThreadRelay }

/** Opens the engine of a database URL. Makes the database or migrates its schema, unless `create` is false. */
export async function openStorage(
  url: string,
  { clock = Date.now, readUrl, maxLagMs, environment, ...options }: OpenOptions = {},
): Promise<OpenStorage> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    // Loaded on demand: a start on SQLite does not pay for the driver.
    const { openPostgres } = await import('./postgres/open.ts')
    return openPostgres(database.url, { ...options, clock, readUrl, maxLagMs, environment })
  }
  if (readUrl !== undefined) throw new StorageError('A SQLite database has no replicas to read from.')
  return openSqlite(database.path, { ...options, clock, environment })
}
