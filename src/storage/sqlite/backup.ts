import { existsSync } from 'node:fs'
import { backup } from 'node:sqlite'
import type { Environment } from '../../contract/environment.ts'
import { refuseOtherEnvironment } from '../shared/environment.ts'
import { StorageError } from '../shared/errors.ts'
import { openForReading } from './database.ts'
import { environmentOf } from './environment.ts'
import { sqliteCodeOf } from './errors.ts'

/** In pages: more than any database has. Between two steps another process may commit, which restarts the copy. */
const allPages = 2 ** 31 - 1

/** Copies a database without migrating it. It blocks no other connection and waits for none. */
export async function backupDatabase(path: string, file: string, environment?: Environment): Promise<void> {
  if (!existsSync(path)) throw new StorageError(`There is no database ${path} to copy.`)
  const db = openForReading(path)
  try {
    refuseOtherEnvironment(path, environmentOf(db), environment)
    await backup(db, file, { rate: allPages })
  } catch (error) {
    throw sqliteCodeOf(error) === undefined
      ? error
      : new StorageError(`The database ${path} cannot be copied to ${file}: ${(error as Error).message}.`)
  } finally {
    db.close()
  }
}
