import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../contract/environment.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'
import type { Storage } from '../../inventory/storage.ts'
import type { WriterStats } from '../../inventory/storage-stats.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import type { HealthReport } from '../shared/health-report.ts'
import type { WriteRelay } from '../shared/relay.ts'
import { withoutCommits } from '../shared/writer-stats.ts'
import { sqliteCategories } from './ports/categories.ts'
import { inlineCommitter, relayCommitter, threadCommitter } from './writes/commit-targets.ts'
import { missingFiles } from './connection/database-files.ts'
import { openForReading, openForWriting, defaultLockTimeoutMs, watchReads } from './connection/database.ts'
import { claimForEnvironment, environmentOf } from './schema/environment.ts'
import { sqliteEvents } from './ports/events.ts'
import { type Health, watchHealth } from './connection/health.ts'
import { sqliteImports } from './ports/imports.ts'
import { sqliteKeys } from './ports/keys.ts'
import { sqliteLineage } from './schema/lineage.ts'
import { migrate, refuseForeign, schemaNumber } from './schema/migrate.ts'
import { sqliteOrders } from './ports/orders.ts'
import { sqlitePets } from './ports/pets.ts'
import { measure } from './measure.ts'
import { readinessCheck } from './readiness.ts'
import { explain } from './connection/errors.ts'
import { inlineSearcher, type Searcher, threadSearcher } from './reads/searcher.ts'
import { type ReadTogether, sharedSnapshot } from './reads/shared-snapshot.ts'
import { changesVersion, fileVersion } from './reads/version.ts'
import { refuseUnfinishedCopy } from './schema/unfinished-copy.ts'
import { type Committer, sqliteWriter, type Writer } from './writes/writer.ts'
import type { WriteRequest } from './writes/writes.ts'

export interface SqliteStorage extends Storage {
  /** Commits groups of writes for other processes with the same database. */
  readonly relay: WriteRelay
}

export interface SqliteOptions {
  clock: Clock
  relay?: WriteRelay | undefined
  environment?: Environment | undefined
  report?: HealthReport | undefined
  lockTimeoutMs?: number | undefined
  writeTimeoutMs?: number | undefined
}

/** Longer than the lock timeout, so that a write that fails for a lock is known not to be stored. */
const defaultWriteTimeoutMs = 5_000
/** How long the writer process may take to say whether it can write. */
const relayCheckTimeoutMs = 1_500

/** The embedded engine: one file, one writer, reads on the event loop. With a `relay`, another process writes. */
export async function openSqlite(path: string, options: SqliteOptions): Promise<SqliteStorage> {
  if (path === ':memory:') return openInMemory(options.clock)
  const schema = prepareFile(path, options.environment)
  return options.relay === undefined ? openWriting(path, schema, options) : openRelayed(path, options.relay, options)
}

/** Refuses a database that is not ours, migrates it otherwise, and returns its schema number. */
function prepareFile(path: string, environment: Environment | undefined): number {
  const db = openForWriting(path, (found) => {
    refuseForeign(found, path)
    refuseUnfinishedCopy(found, path)
    refuseOtherEnvironment(path, environmentOf(found), environment)
  })
  try {
    migrate(db, path)
    if (environment !== undefined) claimForEnvironment(db, path, environment)
    return schemaNumber(db)
  } catch (error) {
    throw explain(path, error)
  } finally {
    db.close()
  }
}

async function openWriting(path: string, schema: number, options: SqliteOptions): Promise<SqliteStorage> {
  const { clock, report, lockTimeoutMs = defaultLockTimeoutMs, writeTimeoutMs = defaultWriteTimeoutMs } = options
  const committer = await threadCommitter({ path, schema, lockTimeoutMs })
  const { files } = committer
  const health = watchHealth(path, { report })
  const reader = await openReader(path, health).catch(async (error: unknown) => {
    await committer.close()
    throw error
  })
  const snapshot = sharedSnapshot(reader)
  const searcher = threadSearcher(path, reader, snapshot)

  // Closes the writer last: the last connection that may write removes the log, unless the log belongs to another
  // database by now.
  async function close(): Promise<void> {
    const isOurs = missingFiles(path, files) === undefined
    await searcher.close()
    snapshot.finish()
    if (isOurs) reader.close()
    await committer.close()
    if (!isOurs) reader.close()
  }

  const commit: Committer['commit'] = (group) => snapshot.endAfter(committer.commit(group))
  const writer = sqliteWriter({ commit, close }, { health, timeoutMs: writeTimeoutMs })
  const check = readinessCheck({ path, schema, files, reader, writer, health })
  const version = fileVersion(reader, snapshot, health)
  return storage({ path, reader, writer, searcher, together: snapshot.together, health, clock, version, check })
}

async function openRelayed(path: string, relay: WriteRelay, options: SqliteOptions): Promise<SqliteStorage> {
  const { clock, writeTimeoutMs = defaultWriteTimeoutMs } = options
  const health = watchHealth(path, { damaged: (message) => relay.foundDamage(message).catch(() => undefined) })
  const reader = await openReader(path, health)
  const snapshot = sharedSnapshot(reader)
  const searcher = threadSearcher(path, reader, snapshot)
  const committer = relayCommitter(relay)
  const commit: Committer['commit'] = (group) => snapshot.endAfter(committer.commit(group))
  async function close(): Promise<void> {
    await searcher.close()
    snapshot.finish()
    reader.close()
  }
  const writer = sqliteWriter({ commit, close }, { health, timeoutMs: writeTimeoutMs })
  // The process that writes counts the commits.
  const writerStats = () => withoutCommits(writer.stats())

  async function check(): Promise<void> {
    const silent = sleep(relayCheckTimeoutMs, undefined, { ref: false }).then(() => {
      throw unavailable('The writer process does not respond.')
    })
    await Promise.race([relay.check(), silent])
  }
  const version = fileVersion(reader, snapshot, health)
  return storage({
    path,
    reader,
    writer,
    writerStats,
    searcher,
    together: snapshot.together,
    health,
    clock,
    version,
    check,
  })
}

async function openInMemory(clock: Clock): Promise<SqliteStorage> {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')
  const health = watchHealth(':memory:')
  const writer = sqliteWriter(inlineCommitter(db), { health })
  return storage({
    path: ':memory:',
    reader: db,
    writer,
    searcher: inlineSearcher(db),
    together: (read) => read(),
    health,
    clock,
    version: changesVersion(db),
    async check() {},
  })
}

async function openReader(path: string, health: Health): Promise<DatabaseSync> {
  const reader = openForReading(path)
  watchReads(reader, health)
  return reader
}

interface StorageParts {
  path: string
  reader: DatabaseSync
  writer: Writer
  /** Default: those of `writer`. */
  writerStats?: () => WriterStats
  searcher: Searcher
  together: ReadTogether
  health: Health
  clock: Clock
  version: () => number
  /** Rejects if nothing can be written. */
  check(): Promise<void>
}

function storage({
  reader,
  writer,
  searcher,
  together,
  health,
  clock,
  version,
  ...parts
}: StorageParts): SqliteStorage {
  const { path, writerStats = writer.stats, check: checkWriting } = parts
  const keys = sqliteKeys(reader, writer)
  const judge = sqliteLineage(reader)
  let closed = false

  async function check(): Promise<void> {
    if (closed) throw unavailable('The storage is closed.')
    await keys.find('') // Any read.
    await checkWriting()
  }

  return {
    pets: sqlitePets({ reader, judge, writer, clock, searcher, together }),
    orders: sqliteOrders(reader, judge, writer, clock),
    categories: sqliteCategories(reader, writer, clock),
    events: sqliteEvents(reader, judge, writer),
    keys,
    imports: sqliteImports(reader, writer, clock),
    version,
    relay: {
      commit: (group) => Promise.all((group as WriteRequest[]).map((request) => writer.perform(request))),
      check,
      foundDamage: async (message) => health.foundDamage(message),
    },
    check,
    forgetAnswers: () => writer.write('forgetAnswers', { now: clock() }),
    stats: () => ({ writer: writerStats(), sessions: [], pendingReads: 0 }),
    size: () => measure(path),
    async close() {
      if (closed) return
      closed = true
      await writer.close()
    },
  }
}
