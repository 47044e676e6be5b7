import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../contract/environment.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { Clock } from '../../inventory/clock.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import type { HealthReport } from '../shared/health-report.ts'
import { defaultBudget, type SearchBudget } from '../shared/reads/find-by-name.ts'
import type { WriteRelay } from '../shared/writes/relay.ts'
import { withoutCommits } from '../shared/writes/writer-stats.ts'
import { composeStorage, type SqliteStorage } from './compose-storage.ts'
import { inlineCommitter, relayCommitter, threadCommitter } from './writes/commit-targets.ts'
import { missingFiles } from './connection/database-files.ts'
import { openForReading, openForWriting, defaultLockTimeoutMs, watchReads } from './connection/database.ts'
import { claimForEnvironment, environmentOf } from './schema/environment.ts'
import { type Health, watchHealth } from './connection/health.ts'
import { migrate, refuseForeign, schemaNumber } from './schema/migrate.ts'
import { readinessCheck } from './readiness.ts'
import { explain } from './connection/errors.ts'
import { inlineSearcher, threadSearcher } from './reads/searcher.ts'
import { sharedSnapshot } from './reads/shared-snapshot.ts'
import { changesVersion, fileVersion } from './reads/version.ts'
import { refuseUnfinishedCopy } from './schema/unfinished-copy.ts'
import { type Committer, sqliteWriter } from './writes/writer.ts'

export interface SqliteOptions {
  clock: Clock
  relay?: WriteRelay | undefined
  environment?: Environment | undefined
  report?: HealthReport | undefined
  migrated?: ((names: readonly string[]) => void) | undefined
  lockTimeoutMs?: number | undefined
  writeTimeoutMs?: number | undefined
  searchBudget?: SearchBudget | undefined
}

/** Longer than the lock timeout, so that a write that fails for a lock is known not to be stored. */
const defaultWriteTimeoutMs = 5_000
/** How long the writer process may take to say whether it can write. */
const relayCheckTimeoutMs = 1_500

/** The embedded engine: one file, one writer, reads on the event loop. With a `relay`, another process writes. */
export async function openSqlite(path: string, options: SqliteOptions): Promise<SqliteStorage> {
  if (path === ':memory:') return openInMemory(options)
  const schema = prepareFile(path, options)
  return options.relay === undefined ? openWriting(path, schema, options) : openRelayed(path, options.relay, options)
}

/** Refuses a database that is not ours, migrates it otherwise, and returns its schema number. */
function prepareFile(path: string, { environment, migrated }: SqliteOptions): number {
  const db = openForWriting(path, (found) => {
    refuseForeign(found, path)
    refuseUnfinishedCopy(found, path)
    refuseOtherEnvironment(path, environmentOf(found), environment)
  })
  try {
    const applied = migrate(db, path)
    migrated?.(applied)
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
  const { finishReads, commitWith, ...reads } = await openReads(path, health, options.searchBudget).catch(
    async (error: unknown) => {
      await committer.close()
      throw error
    },
  )
  const { reader } = reads

  // Closes the writer last: the last connection that may write removes the log, unless the log belongs to another
  // database by now.
  async function close(): Promise<void> {
    const isOurs = missingFiles(path, files) === undefined
    await finishReads()
    if (isOurs) reader.close()
    await committer.close()
    if (!isOurs) reader.close()
  }

  const writer = sqliteWriter({ commit: commitWith(committer), close }, { health, timeoutMs: writeTimeoutMs })
  const check = readinessCheck({ path, schema, files, reader, writer, health })
  return composeStorage({ path, ...reads, writer, health, clock, check })
}

async function openRelayed(path: string, relay: WriteRelay, options: SqliteOptions): Promise<SqliteStorage> {
  const { clock, writeTimeoutMs = defaultWriteTimeoutMs } = options
  const health = watchHealth(path, { damaged: (message) => relay.foundDamage(message).catch(() => undefined) })
  const { finishReads, commitWith, ...reads } = await openReads(path, health, options.searchBudget)
  async function close(): Promise<void> {
    await finishReads()
    reads.reader.close()
  }
  const commit = commitWith(relayCommitter(relay))
  const writer = sqliteWriter({ commit, close }, { health, timeoutMs: writeTimeoutMs })
  // The process that writes counts the commits.
  const writerStats = () => withoutCommits(writer.stats())

  async function check(): Promise<void> {
    const silent = sleep(relayCheckTimeoutMs, undefined, { ref: false }).then(() => {
      throw unavailable('The writer process does not respond.')
    })
    await Promise.race([relay.check(), silent])
  }
  return composeStorage({ path, ...reads, writer, writerStats, health, clock, check })
}

/** Opens the connection for reads. */
async function openReads(path: string, health: Health, searchBudget = defaultBudget) {
  const reader = openForReading(path)
  watchReads(reader, health)
  const snapshot = sharedSnapshot(reader)
  const searcher = threadSearcher(path, reader, snapshot, searchBudget)
  return {
    reader,
    searcher,
    searchBudget,
    together: snapshot.together,
    version: fileVersion(reader, snapshot, health),
    /** Commits so that later reads see what was committed. */
    commitWith({ commit }: Pick<Committer, 'commit'>): Committer['commit'] {
      return (group) => snapshot.endAfter(commit(group))
    },
    async finishReads(): Promise<void> {
      await searcher.close()
      snapshot.finish()
    },
  }
}

async function openInMemory({ clock, searchBudget = defaultBudget }: SqliteOptions): Promise<SqliteStorage> {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')
  const health = watchHealth(':memory:')
  const writer = sqliteWriter(inlineCommitter(db), { health })
  return composeStorage({
    path: ':memory:',
    reader: db,
    writer,
    searcher: inlineSearcher(db, searchBudget),
    searchBudget,
    together: (read) => read(),
    health,
    clock,
    version: changesVersion(db),
    async check() {},
  })
}
