import { StorageError } from '../../shared/errors.ts'
import { latestNumber, type Migration, readMigrations } from '../../shared/migration-files.ts'
import { mixedSchema, refuseOtherSchema, refuseUnreleasedSchema } from '../../shared/refusals.ts'
import { connectAtStart } from '../connection/connect.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { codeOf } from '../connection/errors.ts'
import type { Server } from '../connection/server.ts'
import { type Applying, applyMigration, migrationSettings } from './apply-migration.ts'
import { newerParts } from './schema-objects.ts'

/** The numbered files in migrations/, in order. */
export function migrations(): Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url))
}

/** The schema number of this version. */
export function latestSchema(): number {
  return latestNumber(migrations())
}

/**
 * "PETS". Held until its transaction ends, also by a kill. It is a transaction without a snapshot: an index that is built
 * concurrently does not wait for it.
 */
const lock: Statement = {
  text: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0; SELECT pg_advisory_xact_lock(1346458707)`,
}
const applied: Statement = {
  text: `SELECT number, name, to_regclass('pets_by_words') IS NULL OR to_regclass('pets_by_name') IS NOT NULL
    FROM petstore_migrations`,
}

interface MigrateOptions extends Pick<Applying, 'waits'> {
  all?: readonly Migration[] | undefined
}

/**
 * Migrates the schema and returns the names of the applied migrations. Each is recorded when it is done, under a lock: if
 * several processes start at once, each migration runs once, and after a kill the next start goes on. Others read and
 * write meanwhile (docs/upgrading.md).
 */
export async function migrate(
  session: Session,
  server: Server,
  { all = migrations(), waits }: MigrateOptions = {},
): Promise<string[]> {
  const { shown } = server
  // Checks without the lock first: a migrated database, the usual case, is not locked.
  if ((await missingFrom(session, all, shown)).length === 0) return []
  const guard = await connectAtStart(server)
  let worker: Session | undefined
  try {
    await guard.run(lock)
    worker = await connectAtStart(server, { settings: migrationSettings })
    const missing = await missingFrom(worker, all, shown)
    await refuseMixed(worker, shown)
    for (const migration of missing) await applyMigration(worker, migration, { shown, waits })
    return missing.map(({ name }) => name)
  } catch (error) {
    if (codeOf(error) === '42P07') {
      throw new StorageError(`The database ${shown} has tables of another program: use a database of its own.`)
    }
    if (codeOf(error) === '42501') throw await notAllowed(session, all, shown)
    throw error
  } finally {
    await Promise.all([worker?.end(), guard.end()])
  }
}

/** Refuses a database without our tables, and one that this version would have to migrate. */
export async function refuseUnmigrated(session: Session, shown: string): Promise<void> {
  const rows = await recorded(session)
  refuseUnreleased(rows, shown)
  const [number, latest] = [numberOf(rows, migrations()), latestSchema()]
  refuseNewer(number, latest, shown)
  if (number === 0) {
    throw new StorageError(`There is no pet store in the database ${shown}: petstore serve makes its tables.`)
  }
  if (number < latest) refuseOtherSchema(shown, number, latest)
}

/** Those that the database lacks. Refuses a database that they do not fit. */
async function missingFrom(session: Session, all: readonly Migration[], shown: string): Promise<Migration[]> {
  const rows = await recorded(session)
  refuseUnreleased(rows, shown)
  refuseNewer(numberOf(rows, all), latestNumber(all), shown)
  return missingIn(rows, all)
}

function refuseUnreleased(rows: Recorded, shown: string): void {
  const hasNameOrder = rows.every(([, , has]) => has)
  refuseUnreleasedSchema(shown, highestOf(rows), hasNameOrder)
}

async function refuseMixed(session: Session, shown: string): Promise<void> {
  const number = highestOf(await recorded(session))
  const [part] = await newerParts(session, number)
  if (part === undefined) return
  throw new StorageError(
    `The database ${shown} cannot be migrated: ${mixedSchema(number, `${part.kind} ${part.name}`)}.`,
  )
}

async function notAllowed(session: Session, all: readonly Migration[], shown: string): Promise<StorageError> {
  return new StorageError(
    `The database ${shown} has schema ${await schemaNumber(session)}, this version needs ${latestNumber(all)}, and this ` +
      'user may not change it: run petstore migrate as the owner of its tables (docs/postgresql.md has the grants).',
  )
}

type Recorded = readonly [number: number, name: string, hasNameOrder: boolean][]

/** The migrations that were applied. None in an empty database. */
async function recorded(session: Session): Promise<Recorded> {
  try {
    return (await session.run(applied)).rows as [number: number, name: string, hasNameOrder: boolean][]
  } catch (error) {
    if (codeOf(error) === '42P01') return [] // No such table.
    throw error
  }
}

function missingIn(rows: Recorded, all: readonly Migration[]): Migration[] {
  const names = new Set(rows.map(([, name]) => name))
  return all.filter(({ name }) => !names.has(name))
}

/** Also one of which a part is missing. 0 for an empty database. */
function highestOf(rows: Recorded): number {
  return Math.max(0, ...rows.map(([number]) => number))
}

/** The highest number of which this version misses nothing. 0 while the first one has only a part of its files. */
function numberOf(rows: Recorded, all: readonly Migration[]): number {
  const highest = highestOf(rows)
  const [first] = missingIn(rows, all)
  if (first === undefined || highest < first.number) return highest
  return first.number === all[0]?.number ? 0 : first.number - 1
}

export async function schemaNumber(session: Session, all = migrations()): Promise<number> {
  return numberOf(await recorded(session), all)
}

/**
 * Accepts a schema one number ahead: during a rollout the version before keeps running, can restart and can be rolled
 * back to. Every migration allows that (docs/upgrading.md).
 */
function refuseNewer(number: number, latest: number, shown: string): void {
  if (number <= latest + 1) return
  throw new StorageError(
    `The database ${shown} was written by a much newer version of the program (schema ${number}, this one knows ` +
      `${latest}): run that version, or restore a backup made by this one.`,
  )
}
