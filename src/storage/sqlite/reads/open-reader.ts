import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../shared/errors.ts'
import { type FileIds, missingFiles } from '../connection/database-files.ts'
import { openForReading, watchReads } from '../connection/database.ts'
import type { Health } from '../connection/health.ts'
import { latestSchema } from '../schema/migrate.ts'

/** Opens a connection for reads. Refuses other files than those that are written. */
export function openReader(path: string, { health, files }: { health: Health; files: FileIds }): DatabaseSync {
  const db = openForReading(path)
  const missing = missingFiles(path, files)
  if (missing !== undefined) {
    db.close()
    throw new StorageError(missing)
  }
  watchReads(db, { health, schema: latestSchema() })
  return db
}
