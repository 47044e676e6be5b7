import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Inspection } from '../../shared/inspection.ts'
import { toUnattendedSince, type UnattendedRow, unattendedSql } from '../../shared/rows/delivery-row.ts'
import { refuseLogAlone, refuseOtherKind } from '../connection/create-file.ts'
import { fileUrl, openConnection, openForReading, pragma, prepareRows } from '../connection/database.ts'
import { environmentOf } from '../schema/environment.ts'
import { explain, refuseUnreachable } from '../connection/errors.ts'
import { latestSchema, refuseOtherProgram, schemaNumber } from '../schema/migrate.ts'
import { unfinishedCopy } from '../schema/unfinished-copy.ts'

/** Undefined if there is no such file yet. */
export function inspect(path: string): Inspection | undefined {
  refuseLogAlone(path)
  refuseUnreachable(path)
  if (!existsSync(path)) return undefined
  const db = openUntouched(path)
  try {
    refuseOtherProgram(db, path)
    return {
      schema: schemaNumber(db),
      latestSchema: latestSchema(),
      maxAhead: 0,
      environment: environmentOf(db),
      hasUnfinishedCopy: unfinishedCopy(db) !== undefined,
      isInUse: isInUse(path),
      latestEventAt: latestEventAt(db),
      deliveriesUnattendedSince: unattendedSince(db),
      // The service sets WAL mode and synchronous at every start.
      unsafe: [],
      doubtful: [],
    }
  } catch (error) {
    throw explain(path, error)
  } finally {
    db.close()
  }
}

/**
 * Even a read-only connection makes the files beside a database in WAL mode. So, if they are not there, nobody uses the
 * database, and it is opened as one that does not change.
 */
export function openUntouched(path: string): DatabaseSync {
  if (isInUse(path)) return openForReading(path)
  refuseOtherKind(path)
  try {
    const db = openConnection(fileUrl(path, { immutable: '1' }), { readOnly: true })
    pragma(db, 'schema_version') // The first read: it opens the file.
    return db
  } catch (error) {
    throw explain(path, error)
  }
}

function isInUse(path: string): boolean {
  return existsSync(`${path}-wal`) && existsSync(`${path}-shm`)
}

function unattendedSince(db: DatabaseSync): number | undefined {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'delivery_lease'").get() === undefined) return undefined
  return toUnattendedSince(prepareRows<UnattendedRow>(db, unattendedSql(`${Date.now()}`)).get())
}

function latestEventAt(db: DatabaseSync): number | undefined {
  // An empty database has no tables.
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() === undefined) return undefined
  const row = db.prepare('SELECT at FROM events ORDER BY id DESC LIMIT 1').get()
  return row === undefined ? undefined : Number(row['at'])
}
