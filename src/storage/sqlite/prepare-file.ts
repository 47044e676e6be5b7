import type { DatabaseSync } from 'node:sqlite'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import type { EngineOptions } from '../shared/ports/open-options.ts'
import { refuseOtherSchema } from '../shared/refusals.ts'
import { refuseMissing } from './connection/create-file.ts'
import { configureForWriting, defaultLockTimeoutMs, openForReading, openForWriting } from './connection/database.ts'
import { explain } from './connection/errors.ts'
import { lockDatabase } from './connection/lock-database.ts'
import { claimForEnvironment, environmentOf } from './schema/environment.ts'
import { latestSchema, migrate, refuseForeign, schemaNumber } from './schema/migrate.ts'
import { refuseUnfinishedCopy } from './schema/unfinished-copy.ts'

type PrepareOptions = Pick<EngineOptions, 'environment' | 'create' | 'migrated' | 'lockTimeoutMs'>

/**
 * Refuses a database that is not ours, and returns its schema number. Makes and migrates it, or with `create: false`
 * refuses one that is missing or has another schema.
 */
export function prepareFile(
  path: string,
  { environment, create = true, migrated, lockTimeoutMs = defaultLockTimeoutMs }: PrepareOptions,
): number {
  if (!create) refuseMissing(path, ': petstore serve makes it')
  function approve(found: DatabaseSync): void {
    refuseForeign(found, path)
    if (!create) refuseOtherSchema(path, schemaNumber(found), latestSchema())
    refuseUnfinishedCopy(found, path)
    refuseOtherEnvironment(path, environmentOf(found), environment)
  }
  // At once: what follows may find the database locked, and is then repeated.
  function report(applied: readonly string[]): void {
    if (applied.length > 0) migrated?.(applied)
  }
  let db = openForWriting(path, { create, approve, lockTimeoutMs })
  try {
    if (isOlder(db)) {
      db.close()
      report(migrateAlone(path, approve, lockTimeoutMs))
      db = openForWriting(path, { create: false, approve, lockTimeoutMs })
    }
    report(migrate(db, path))
    if (environment !== undefined) claimForEnvironment(db, path, environment)
    return schemaNumber(db)
  } catch (error) {
    throw explain(path, error)
  } finally {
    if (db.isOpen) db.close()
  }
}

/** An empty database has no schema yet. */
function isOlder(db: DatabaseSync): boolean {
  return schemaNumber(db) > 0 && schemaNumber(db) < latestSchema()
}

/** No other process may use the database meanwhile: one of the older version would fail. */
function migrateAlone(path: string, approve: (db: DatabaseSync) => void, lockTimeoutMs: number): string[] {
  // A process that was started at the same time may be faster.
  const db = lockDatabase(path, 'migrate', lockTimeoutMs, () => isMigrated(path))
  if (db === undefined) return []
  try {
    approve(db)
    configureForWriting(db, path, lockTimeoutMs)
    return migrate(db, path)
  } finally {
    db.close()
  }
}

/** Throws `DatabaseLocked` while another process migrates it. */
function isMigrated(path: string): boolean {
  const db = openForReading(path)
  try {
    return schemaNumber(db) === latestSchema()
  } catch (error) {
    throw explain(path, error)
  } finally {
    db.close()
  }
}
