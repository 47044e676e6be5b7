import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { unavailable } from '../../../inventory/errors.ts'
import { StorageError } from '../../shared/errors.ts'
import { indexedText } from '../../shared/order-term.ts'
import type { Health } from './health.ts'
import { createFile, refuseLogAlone, rememberOpened } from './create-file.ts'
import { explain, isDamage, refuseUnwritable, isTransient, sqliteCode, sqliteCodeOf } from './errors.ts'

/** How long a write waits for another process with the write lock. */
export const defaultLockTimeoutMs = 4_000
// Marks the file as ours ("PETS"), so that another program's database is refused, not migrated.
export const applicationId = 0x50455453

export interface WritingOptions {
  /** May refuse the database by throwing, before anything in it is changed. */
  approve?: (db: DatabaseSync) => void
  lockTimeoutMs?: number
  /** Whether to make a missing file and its folder. Default: true. */
  create?: boolean
}

/** A connection for writing: a commit is on disk when it returns. */
export function openForWriting(
  path: string,
  { approve, lockTimeoutMs = defaultLockTimeoutMs, create = true }: WritingOptions = {},
): DatabaseSync {
  if (create && path !== ':memory:') createFile(path)
  if (path !== ':memory:') refuseUnwritable(path)
  return prepareConnection(connect(path, { timeout: lockTimeoutMs }), path, (db) => {
    approve?.(db)
    configureForWriting(db, path, lockTimeoutMs)
    if (path !== ':memory:') refuseReadOnly(db, lockTimeoutMs)
  })
}

/** If `prepare` throws, the connection is closed, and the error says what it means. */
export function prepareConnection(db: DatabaseSync, path: string, prepare: (db: DatabaseSync) => void): DatabaseSync {
  try {
    prepare(db)
    return db
  } catch (error) {
    db.close()
    throw explain(path, error)
  }
}

/** Settings of a connection that writes. */
export function configureForWriting(db: DatabaseSync, path: string, lockTimeoutMs = defaultLockTimeoutMs): void {
  // For SQL that adds names to the search index.
  db.function('name_words', { deterministic: true }, (name) => indexedText(name as string))
  setPragma(db, 'synchronous', 'FULL', 2)
  setPragma(db, 'foreign_keys', 'ON', 1)
  if (path !== ':memory:') useWriteAheadLog(db, lockTimeoutMs)
  // Frequently written pages, such as those of indexes, go into the database once per checkpoint: after 32 MiB of log
  // instead of 4. If a burst made the log larger than 64 MiB, the checkpoint truncates it.
  db.exec(`PRAGMA wal_autocheckpoint = 8192; PRAGMA journal_size_limit = ${64 * 1024 * 1024}`)
  // For the index pages that a write touches, in KiB.
  db.exec('PRAGMA cache_size = -16384')
}

/** A read-only connection for the event loop: in WAL mode it never waits for a writer. */
export function openForReading(path: string, readOnly = true): DatabaseSync {
  return prepareConnection(connect(path, { readOnly, timeout: 250 }), path, (db) => {
    // For the upper index pages of a large shop, in KiB, so that any page of a list takes one or two reads.
    db.exec('PRAGMA query_only = ON; PRAGMA cache_size = -8192')
  })
}

/** A connection for a command that looks at a database: it changes nothing and leaves no files beside it. */
export function openForInspection(path: string): DatabaseSync {
  // A read-only connection cannot remove the -wal and -shm that it creates. Another one can, but it would merge the log
  // of a killed service.
  return openForReading(path, existsSync(`${path}-wal`))
}

/** A statement whose rows are arrays. */
export interface RowStatement<Row> {
  get(...values: SQLInputValue[]): Row | undefined
  all(...values: SQLInputValue[]): Row[]
  iterate(...values: SQLInputValue[]): Iterable<Row>
}

interface OneRowStatement<Row> {
  get(...values: SQLInputValue[]): Row
}

/** A statement with rows as arrays: objects of node:sqlite are slow to read. `Row` has the values of its columns. */
export function prepareRows<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): RowStatement<Row> {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement as unknown as RowStatement<Row>
}

/** A statement that has a row whatever is stored, such as a count. */
export function prepareOneRow<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): OneRowStatement<Row> {
  return prepareRows<Row>(db, sql) as OneRowStatement<Row>
}

/** The first value. Pragmas have no integers that exceed a number. */
export function pragma(db: DatabaseSync, name: string): unknown {
  const [value] = Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})
  return typeof value === 'bigint' ? Number(value) : value
}

// SQLite silently ignores a pragma that it cannot apply, so durability settings are read back.
function setPragma(db: DatabaseSync, name: string, value: string, expected: number | string): void {
  db.exec(`PRAGMA ${name} = ${value}`)
  const actual = pragma(db, name)
  if (actual !== expected) {
    throw new StorageError(
      `The database cannot be used safely: SQLite keeps ${name} at ${String(actual)}, not ${value}.`,
    )
  }
}

// Changing the journal mode needs exclusive access, and SQLite does not wait for that as it does for other locks.
function useWriteAheadLog(db: DatabaseSync, lockTimeoutMs: number): void {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    try {
      return setPragma(db, 'journal_mode', 'WAL', 'wal')
    } catch (error) {
      if (sqliteCodeOf(error) !== sqliteCode.busy || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/**
 * Every connection of ours. Its statements read integers as bigints, also those that return no row: `run` reports the
 * last id that the connection inserted, and throws if that exceeds a number, even for BEGIN and COMMIT.
 */
export function openConnection(path: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  return new DatabaseSync(path, { ...options, readBigInts: true })
}

// What permissions do not tell. SQLite opens files that it cannot write without a word, for reading alone, and begins
// transactions on them. A lock of another process is no reason to wait: SQLite looks for it later.
function refuseReadOnly(db: DatabaseSync, lockTimeoutMs: number): void {
  try {
    db.exec(`PRAGMA busy_timeout = 0; BEGIN; PRAGMA user_version = ${String(pragma(db, 'user_version'))}; ROLLBACK`)
  } catch (error) {
    if (sqliteCodeOf(error) !== sqliteCode.busy) throw error
    if (db.isTransaction) db.exec('ROLLBACK')
  } finally {
    db.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`)
  }
}

/** Never makes a file: SQLite would apply the log of a lost database to a new one, or delete it. */
export function connect(path: string, options: { readOnly?: boolean; timeout: number }): DatabaseSync {
  if (path !== ':memory:') {
    refuseLogAlone(path)
    rememberOpened(path)
  }
  try {
    const db = openConnection(
      path === ':memory:' ? path : fileUrl(path, { mode: options.readOnly ? 'ro' : 'rw' }),
      options,
    )
    pragma(db, 'schema_version') // The first read: it opens the file.
    return db
  } catch (error) {
    throw explain(path, error)
  }
}

/** A path with parameters for SQLite. */
export function fileUrl(path: string, parameters: Record<string, string>): URL {
  const url = pathToFileURL(resolve(path))
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

interface Watch {
  health: Health
  schema: number
}
const watches = new WeakMap<DatabaseSync, Watch>()

/** Reads on this connection report damage to `health`, and are refused after damage. `schema` is the number of ours. */
export function watchReads(db: DatabaseSync, watch: Watch): void {
  watches.set(db, watch)
}

/** As `syncReadsOf`, but an error rejects instead of being thrown. */
export function readsOf(db: DatabaseSync) {
  const read = syncReadsOf(db)
  return async <Result>(work: () => Result | Promise<Result>): Promise<Result> => read(work)
}

/**
 * Runs reads at once. A temporary or permanent failure of the storage is `unavailable`; other errors are bugs and are
 * rethrown.
 */
export function syncReadsOf(db: DatabaseSync) {
  const watch = watches.get(db)
  const health = watch?.health
  return function read<Result>(work: () => Result): Result {
    if (!db.isOpen) throw unavailable('The storage is closed.')
    if (health?.damage !== undefined) throw unavailable('Nothing can be read.', new Error(health.damage))
    try {
      return work()
    } catch (error) {
      const code = sqliteCodeOf(error)
      if (isDamage(code)) health?.foundDamage((error as Error).message)
      throw isTransient(code) || isDamage(code) || hasOtherSchema(db, watch)
        ? unavailable('Nothing can be read right now; try again.', error)
        : error
    }
  }
}

/** Whether another version has migrated the database under this process: a statement may not fit any more. */
function hasOtherSchema(db: DatabaseSync, watch: Watch | undefined): boolean {
  return watch !== undefined && pragma(db, 'user_version') !== watch.schema
}
