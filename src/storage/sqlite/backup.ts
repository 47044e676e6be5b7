import { existsSync } from 'node:fs'
import { backup } from 'node:sqlite'
import type { Environment } from '../../contract/environment.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import { StorageError } from '../shared/errors.ts'
import { openForReading } from './database.ts'
import { environmentOf } from './environment.ts'
import { sqliteCodeOf } from './result-codes.ts'

/** In pages: more than any database has. Between two steps another process may commit, and the copy begins anew. */
const inOneStep = 2 ** 31 - 1

/** Copies a database with its schema as it is, not migrated. Nobody waits for it, and it waits for nobody. */
export async function copyDatabase(path: string, file: string, environment?: Environment): Promise<void> {
  if (!existsSync(path)) throw new StorageError(`There is no database ${path} to copy.`)
  const db = openForReading(path)
  try {
    refuseOtherEnvironment(path, environmentOf(db), environment)
    await backup(db, file, { rate: inOneStep })
  } catch (error) {
    throw sqliteCodeOf(error) === undefined
      ? error
      : new StorageError(`The database ${path} cannot be copied to ${file}: ${(error as Error).message}.`)
  } finally {
    db.close()
  }
}
