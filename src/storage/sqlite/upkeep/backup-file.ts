import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../../contract/environment.ts'
import { refuseOtherEnvironment } from '../../shared/environment.ts'
import { StorageError } from '../../shared/errors.ts'
import { checkIntegrity } from './checked-database.ts'
import { openConnection, openForInspection, prepareRows } from '../connection/database.ts'
import { environmentOf } from '../schema/environment.ts'
import { explain, sqliteCode, sqliteCodeOf } from '../connection/errors.ts'
import { openUntouched } from './inspect.ts'
import { refuseForeign, schemaNumber } from '../schema/migrate.ts'
import { refuseUnfinishedCopy } from '../schema/unfinished-copy.ts'

export interface BackupContents {
  pets: number
  orders: number
  events: number
  /** Those that are neither revoked nor expired. */
  keys: number
  /** Those that are enabled. */
  webhooks: number
  /** Those that have not expired. */
  invitations: number
  /** In milliseconds since 1970; undefined without events. */
  latestEventAt: number | undefined
}

/**
 * Refuses a copy of a backup that this version cannot use, and returns its schema number. `shown` is the name of the
 * backup. The copy leaves WAL mode, so that reading it creates no files beside it.
 */
export function approveBackup(copy: string, shown: string, environment: Environment): number {
  const db = openConnection(copy)
  try {
    db.exec('PRAGMA journal_mode = DELETE')
    refuseForeign(db, shown)
    const schema = schemaNumber(db)
    if (schema === 0) throw new StorageError(`${shown} is empty: name a backup.`)
    refuseUnfinishedCopy(db, shown)
    refuseOtherEnvironment(shown, environmentOf(db), environment)
    return schema
  } catch (error) {
    if (sqliteCodeOf(error) !== sqliteCode.corrupt) throw explain(shown, error)
    throw new StorageError(`The backup ${shown} is not intact: SQLite finds: ${(error as Error).message}.`)
  } finally {
    db.close()
  }
}

/** The first damage that SQLite finds in a file, as a sentence. */
export function damageOf(path: string): string | undefined {
  return using(path, (db) => checkIntegrity(db).found[0])
}

export function contentsOf(path: string): BackupContents {
  return using(path, (db) => {
    const numberOf = (sql: string) => {
      const row = prepareRows<[bigint]>(db, sql).get()
      return row === undefined ? undefined : Number(row[0])
    }
    const now = Date.now()
    return {
      pets: numberOf('SELECT count(*) FROM pets') ?? 0,
      orders: numberOf('SELECT count(*) FROM orders') ?? 0,
      events: numberOf('SELECT count(*) FROM events') ?? 0,
      keys:
        numberOf(`SELECT count(*) FROM api_keys WHERE revoked_at IS NULL AND ifnull(expires_at, ${now}) >= ${now}`) ??
        0,
      webhooks: numberOf('SELECT count(*) FROM webhooks WHERE disabled_at IS NULL') ?? 0,
      invitations: numberOf(`SELECT count(*) FROM invitations WHERE expires_at > ${now}`) ?? 0,
      latestEventAt: numberOf('SELECT at FROM events ORDER BY id DESC LIMIT 1'),
    }
  })
}

/** The ids of the lineages of a backup or a database. None if it has none, is not there or cannot be read. */
export function lineagesOf(path: string): string[] {
  if (!existsSync(path)) return []
  try {
    const db = openUntouched(path)
    try {
      return prepareRows<[string]>(db, 'SELECT id FROM lineages').all().flat()
    } finally {
      db.close()
    }
  } catch {
    return []
  }
}

function using<Result>(path: string, read: (db: DatabaseSync) => Result): Result {
  const db = openForInspection(path)
  try {
    return read(db)
  } finally {
    db.close()
  }
}
