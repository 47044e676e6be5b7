import type { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../../contract/environment.ts'
import { environmentProperty, refuseOtherEnvironment } from '../../shared/environment.ts'

/** The environment of the database's first start. */
export function environmentOf(db: DatabaseSync): string | undefined {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'properties'").get()
  if (table === undefined) return undefined
  const row = db.prepare('SELECT value FROM properties WHERE name = ?').get(environmentProperty)
  return row?.['value'] as string | undefined
}

/** Assigns a migrated database to the first environment that starts it, and refuses the other. */
export function claimForEnvironment(db: DatabaseSync, path: string, environment: Environment): void {
  if (environmentOf(db) === undefined) {
    db.prepare('INSERT OR IGNORE INTO properties (name, value) VALUES (?, ?)').run(environmentProperty, environment)
  }
  refuseOtherEnvironment(path, environmentOf(db), environment)
}
