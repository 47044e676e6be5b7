import { backup } from 'node:sqlite'
import type { Environment } from '../../../contract/environment.ts'
import { refuseOtherEnvironment } from '../../shared/environment.ts'
import { StorageError } from '../../shared/errors.ts'
import { checkIntegrity } from './checked-database.ts'
import { refuseMissing } from '../connection/create-file.ts'
import { openConnection, openForInspection } from '../connection/database.ts'
import { environmentOf } from '../schema/environment.ts'
import { sqliteCodeOf } from '../connection/errors.ts'
import { refuseOtherProgram, schemaNumber } from '../schema/migrate.ts'

/** In pages: more than any database has. Between two steps another process may commit, which restarts the copy. */
const allPages = 2 ** 31 - 1

/** Copies a database without migrating it, and verifies the copy. It blocks no other connection and waits for none. */
export async function backupDatabase(path: string, file: string, environment?: Environment): Promise<void> {
  refuseMissing(path, ' to copy')
  const db = openForInspection(path)
  try {
    refuseOtherProgram(db, path)
    if (schemaNumber(db) === 0) throw new StorageError(`The database ${path} is empty: there is nothing to copy.`)
    refuseOtherEnvironment(path, environmentOf(db), environment)
    await backup(db, file, { rate: allPages })
    verifyCopy(file, path, schemaNumber(db))
  } catch (error) {
    throw sqliteCodeOf(error) === undefined
      ? error
      : new StorageError(`The database ${path} cannot be copied to ${file}: ${(error as Error).message}.`)
  } finally {
    db.close()
  }
}

/** Refuses a damaged copy. If another program has removed it, SQLite opens an empty database in its place. */
export function verifyCopy(file: string, path: string, schema: number): void {
  const copy = openConnection(file)
  try {
    if (schemaNumber(copy) !== schema) {
      throw new StorageError(`The copy of the database ${path} was removed before it was complete.`)
    }
    // Out of WAL mode, so that reading the backup creates no files beside it.
    copy.exec('PRAGMA journal_mode = DELETE')
    const [fault] = checkIntegrity(copy).found
    if (fault !== undefined) throw new StorageError(`The copy of the database ${path} is not intact: ${fault}`)
  } finally {
    copy.close()
  }
}
