import { StorageError } from '../../shared/errors.ts'
import { latestNumber, type Migration, readMigrations } from '../../shared/migration-files.ts'
import { refuseOtherSchema, refuseUnreleasedSchema } from '../../shared/refusals.ts'
import { beginWriting } from '../connection/begin.ts'
import type { Session, Statement } from '../connection/database.ts'
import { codeOf } from '../connection/errors.ts'

/** The numbered files in migrations/, in order. */
export function migrations(): Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url))
}

/** The schema number of this version. */
export function latestSchema(): number {
  return latestNumber(migrations())
}

/** "PETS". A migration holds this lock until its transaction ends, even if it is killed. */
const lock: Statement = { text: 'SELECT pg_advisory_xact_lock(1346458707)' }
const commit: Statement = { text: 'COMMIT' }
const rollback: Statement = { text: 'ROLLBACK' }
const makeTable: Statement = {
  text: 'CREATE TABLE IF NOT EXISTS petstore_migrations (number int4 PRIMARY KEY, name text NOT NULL)',
}
const current: Statement = { text: 'SELECT coalesce(max(number), 0) FROM petstore_migrations' }
const record: Statement = { text: 'INSERT INTO petstore_migrations VALUES ($1, $2)' }

/**
 * Migrates the schema and returns the names of the applied migrations. A migration and its number are one transaction
 * under a lock: if several processes start at once, each migration runs once, and a kill leaves the old or the new
 * schema.
 */
export async function migrate(session: Session, shown: string, all = migrations()): Promise<string[]> {
  const latest = latestNumber(all)
  const applied: string[] = []
  for (;;) {
    // Checks without the lock first: a migrated database, the usual case, is not locked.
    const number = await schemaNumber(session)
    refuseUnreleasedSchema(shown, number)
    refuseNewer(number, latest, shown)
    if (number >= latest) return applied
    const name = await applyNext(session, all, shown)
    if (name !== undefined) applied.push(name)
  }
}

/** Refuses a database without our tables, and one that this version would have to migrate. */
export async function refuseUnmigrated(session: Session, shown: string): Promise<void> {
  const [number, latest] = [await schemaNumber(session), latestSchema()]
  refuseNewer(number, latest, shown)
  if (number === 0) {
    throw new StorageError(`There is no pet store in the database ${shown}: petstore serve makes its tables.`)
  }
  if (number < latest) refuseOtherSchema(shown, number, latest)
}

async function applyNext(session: Session, all: readonly Migration[], shown: string): Promise<string | undefined> {
  await session.run(beginWriting)
  try {
    await session.run(lock)
    await session.run(makeTable)
    const number = await schemaNumber(session)
    const next = all.find((migration) => migration.number > number)
    if (next !== undefined) {
      await session.run({ text: next.sql })
      await session.run(record, [next.number, next.name])
    }
    await session.run(commit)
    return next?.name
  } catch (error) {
    await session.run(rollback).catch(() => undefined)
    if (codeOf(error) === '42P07') {
      throw new StorageError(`The database ${shown} has tables of another program: use a database of its own.`)
    }
    if (codeOf(error) === '42501') throw await notAllowed(session, all, shown)
    throw error
  }
}

async function notAllowed(session: Session, all: readonly Migration[], shown: string): Promise<StorageError> {
  return new StorageError(
    `The database ${shown} has schema ${await schemaNumber(session)}, this version needs ${latestNumber(all)}, and this ` +
      'user may not change it: run petstore migrate as the owner of its tables (docs/postgresql.md has the grants).',
  )
}

export async function schemaNumber(session: Session): Promise<number> {
  try {
    const { rows } = await session.run(current)
    return (rows[0] as [number])[0]
  } catch (error) {
    if (codeOf(error) === '42P01') return 0 // No such table.
    throw error
  }
}

/**
 * Accepts a schema one migration ahead: during a rollout the version before keeps running, can restart and can be
 * rolled back to. Every migration allows that (docs/adding-an-operation.md).
 */
function refuseNewer(number: number, latest: number, shown: string): void {
  if (number <= latest + 1) return
  throw new StorageError(
    `The database ${shown} was written by a much newer version of the program (schema ${number}, this one knows ` +
      `${latest}): run that version, or restore a backup made by this one.`,
  )
}
