import { existsSync } from 'node:fs'
import type { Environment } from '../contract/environment.ts'
import { StorageError } from './shared/errors.ts'
import { backupDatabase } from './sqlite/upkeep/backup.ts'
import { refuseOwnFile } from './shared/own-file.ts'
import { readDatabaseUrl, withoutPassword } from './shared/url.ts'
import { writeAtomically } from './shared/atomic-file.ts'

/**
 * Copies a snapshot of a database into a new file while others read and write it. The file contains everything that was
 * acknowledged before the call. It appears when it is complete and verified; an existing file is refused.
 */
export async function backupStorage(url: string, file: string, environment?: Environment): Promise<void> {
  const database = readDatabaseUrl(url)
  if (database.engine === 'postgres') {
    throw new StorageError(
      `PostgreSQL makes its own backups: as the owner of the tables, run pg_dump --format=custom --file=${file} '${withoutPassword(url)}'.`,
    )
  }
  const { path } = database
  if (path === ':memory:') throw new StorageError('An in-memory database cannot be backed up: use a file.')
  const ifExists = () => new StorageError(`${file} exists already: name a new file for the backup.`)
  refuseOwnFile(file, url)
  if (existsSync(file)) throw ifExists()
  await writeAtomically(file, (partial) => backupDatabase(path, partial, environment), { ifExists })
}
