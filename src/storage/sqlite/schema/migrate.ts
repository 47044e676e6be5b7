import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../shared/errors.ts'
import { latestNumber, type Migration, readMigrations } from '../../shared/migration-files.ts'
import { refuseUnreleasedSchema } from '../../shared/refusals.ts'
import { applicationId, pragma } from '../connection/database.ts'

/** The numbered files in migrations/, in order. */
export function migrations(): Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url))
}

/** The schema number of this version. */
export function latestSchema(): number {
  return latestNumber(migrations())
}

/**
 * Migrates the schema and returns the names of the applied migrations. All of them are one transaction under SQLite's
 * write lock: if several processes start at once, each migration runs once, nobody sees a schema between two versions,
 * and a kill leaves the old or the new one.
 */
export function migrate(db: DatabaseSync, path: string, all = migrations()): string[] {
  const latest = latestNumber(all)
  // Checks without the lock first: a migrated database, the usual case, is not locked.
  refuseForeign(db, path, latest)
  if (schemaNumber(db) === latest) return []
  db.exec('BEGIN IMMEDIATE')
  try {
    refuseForeign(db, path, latest)
    const current = schemaNumber(db)
    const missing = all.filter(({ number }) => number > current)
    for (const { sql } of missing) db.exec(sql)
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${latest}; COMMIT`)
    return missing.map(({ name }) => name)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

export function schemaNumber(db: DatabaseSync): number {
  return pragma(db, 'user_version') as number
}

export function refuseOtherProgram(db: DatabaseSync, path: string): void {
  const isEmpty = schemaNumber(db) === 0 && pragma(db, 'schema_version') === 0
  if (isEmpty || pragma(db, 'application_id') === applicationId) return
  throw new StorageError(`${path} is a database of another program: set PETSTORE_DATABASE_URL to another file.`)
}

/** Refuses a database of another program, from before the first release, or of a newer version. */
export function refuseForeign(db: DatabaseSync, path: string, latest = latestSchema()): void {
  refuseOtherProgram(db, path)
  const current = schemaNumber(db)
  refuseUnreleasedSchema(path, current, hasNameOrder(db))
  const newer = newerSchema(path, current, latest)
  if (newer !== undefined) throw new StorageError(newer)
}

/** The index of words takes the words for the order of names (order-term.ts). Also without such an index. */
function hasNameOrder(db: DatabaseSync): boolean {
  const older = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'pet_words' AND sql NOT LIKE '%tokenchars%'")
  return older.get() === undefined
}

/** Why a running service cannot use the schema, which must be its own, as a sentence for the operator. */
export function otherSchema(path: string, current: number, own: number): string | undefined {
  if (current >= own) return newerSchema(path, current, own)
  return (
    `The database ${path} was replaced by one of an older version under the running service (schema ${current}, this ` +
    `one has ${own}): restart the service.`
  )
}

function newerSchema(path: string, current: number, latest: number): string | undefined {
  if (current <= latest) return undefined
  return (
    `The database ${path} was written by a newer version of the program (schema ${current}, this one knows ${latest}): ` +
    'run that version, or restore a backup made by this one.'
  )
}
