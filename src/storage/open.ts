import type { Environment } from '../contract/environment.ts'
import type { Clock } from '../inventory/clock.ts'
import type { Storage } from '../inventory/storage.ts'
import { StorageError } from './shared/errors.ts'
import type { HealthReport } from './shared/health-report.ts'
import type { WriteRelay } from './shared/relay.ts'
import { openSqlite } from './sqlite/open.ts'
import { readDatabaseUrl } from './shared/url.ts'

export interface OpenOptions {
  clock?: Clock
  /** The process that writes for this one, for engines that have one writer. */
  relay?: WriteRelay
  /** Where lists and single animals are read, for engines that have replicas. They may be late. */
  readUrl?: string | undefined
  /** Which environment opens it. The first one keeps the database; the other is refused. */
  environment?: Environment | undefined
  /** How far a replica may be behind, in milliseconds, before the primary is read instead. */
  maxLagMs?: number | undefined
  report?: HealthReport | undefined
  /** How long a write waits for a lock that another program holds, and for its answer. For tests. */
  lockTimeoutMs?: number | undefined
  writeTimeoutMs?: number | undefined
}

/** An open engine; with a relay where other processes may write through this one. */
export type OpenStorage = Storage & { readonly relay?: WriteRelay }

/** Opens the engine that a database URL names, with its schema up to date. */
export async function openStorage(
  url: string,
  { clock = Date.now, readUrl, maxLagMs, environment, ...options }: OpenOptions = {},
): Promise<OpenStorage> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    // Loaded when it is used: a start on SQLite does not pay for the driver.
    const { openPostgres } = await import('./postgres/open.ts')
    const { report } = options
    return openPostgres(database.url, { clock, readUrl, maxLagMs, environment, report })
  }
  if (readUrl !== undefined) throw new StorageError('A SQLite database has no replicas to read from.')
  return openSqlite(database.path, { ...options, clock, environment })
}
