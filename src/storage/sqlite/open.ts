import type { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../contract/openapi.ts'
import { unavailable } from '../../inventory/errors.ts'
import type { Clock, Storage } from '../../inventory/storage.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import type { WriteRelay } from '../shared/relay.ts'
import { sqliteCategories } from './categories.ts'
import { inlineCommitter, threadCommitter } from './commit-targets.ts'
import { openForReading, openForWriting, prepareRows } from './database.ts'
import { claimForEnvironment, environmentOf } from './environment.ts'
import { sqliteEvents } from './events.ts'
import { sqliteImports } from './imports.ts'
import { sqliteKeys } from './keys.ts'
import { migrate, refuseForeign } from './migrate.ts'
import { sqliteOrders } from './orders.ts'
import { sqlitePets } from './pets.ts'
import { explain } from './result-codes.ts'
import { refuseHalfCopied } from './unfinished-copy.ts'
import { type Committer, groupingWriter, type Writer } from './writer.ts'
import type { WriteRequest } from './writes.ts'

export interface SqliteStorage extends Storage {
  /** Commits groups of writes for other processes that have the same database open. */
  readonly relay: WriteRelay
}

export interface SqliteOptions {
  clock: Clock
  relay?: WriteRelay | undefined
  environment?: Environment | undefined
}

/** The embedded engine: one file, one writer, reads on the event loop. With a `relay`, another process is the writer. */
export async function openSqlite(path: string, options: SqliteOptions): Promise<SqliteStorage> {
  return path === ':memory:' ? openInMemory(options.clock) : openFile(path, options)
}

async function openFile(path: string, { clock, relay, environment }: SqliteOptions): Promise<SqliteStorage> {
  const setup = openForWriting(path, (db) => {
    refuseForeign(db, path)
    refuseHalfCopied(db, path)
    refuseOtherEnvironment(path, environmentOf(db), environment)
  })
  try {
    migrate(setup, path)
    if (environment !== undefined) claimForEnvironment(setup, path, environment)
  } catch (error) {
    throw explain(path, error)
  } finally {
    setup.close()
  }
  const committer = relay === undefined ? await threadCommitter(path) : relayCommitter(relay)
  const reader = await openReader(path, committer)
  const writer = groupingWriter({
    commit: committer.commit,
    async close() {
      // The writer last: whoever closes last and may write tidies the log away.
      reader.close()
      await committer.close()
    },
  })
  // Changes with every commit of another connection. This one never writes, so that is every commit.
  return storage(reader, writer, clock, numberOf(reader, 'PRAGMA data_version'), relay)
}

async function openInMemory(clock: Clock): Promise<SqliteStorage> {
  const db = openForWriting(':memory:')
  migrate(db, ':memory:')
  // The one connection that there is counts what it changed.
  return storage(db, groupingWriter(inlineCommitter(db)), clock, numberOf(db, 'SELECT total_changes()'))
}

/** Asks for one small number, often. */
function numberOf(db: DatabaseSync, sql: string): () => number {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return () => (statement.get() as unknown as [number])[0]
}

function relayCommitter(relay: WriteRelay): Committer {
  return {
    commit: (group) => relay.commit(group) as ReturnType<Committer['commit']>,
    async close() {},
  }
}

async function openReader(path: string, committer: Committer): Promise<DatabaseSync> {
  try {
    return openForReading(path)
  } catch (error) {
    await committer.close()
    throw error
  }
}

function storage(
  reader: DatabaseSync,
  writer: Writer,
  clock: Clock,
  version: () => number,
  through?: WriteRelay,
): SqliteStorage {
  const ping = prepareRows(reader, 'SELECT 1')
  let closed = false
  async function check(): Promise<void> {
    if (closed) throw unavailable('The storage is closed.')
    ping.get()
    writer.check()
    await through?.check()
  }

  return {
    pets: sqlitePets(reader, writer, clock),
    orders: sqliteOrders(reader, writer, clock),
    categories: sqliteCategories(reader, writer),
    events: sqliteEvents(reader, writer),
    keys: sqliteKeys(reader, writer),
    imports: sqliteImports(reader, writer, clock),
    version,
    relay: {
      commit: (group) => Promise.all((group as WriteRequest[]).map((request) => writer.perform(request))),
      check,
    },
    check,
    async close() {
      if (closed) return
      closed = true
      await writer.close()
    },
  }
}
