import type { DatabaseSync } from 'node:sqlite'
import { copyUnfinished } from '../../shared/refusals.ts'

// A table that exists only while a copy into the database is unfinished. Its row identifies the source.

export function unfinishedCopy(db: DatabaseSync): string | undefined {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'unfinished_copy'").get()
  if (table === undefined) return undefined
  return db.prepare('SELECT source FROM unfinished_copy').get()?.['source'] as string
}

export function refuseUnfinishedCopy(db: DatabaseSync, path: string): void {
  if (unfinishedCopy(db) !== undefined) throw copyUnfinished(path)
}

/** Runs inside a transaction. */
export function rememberCopy(db: DatabaseSync, source: string): void {
  db.exec('CREATE TABLE unfinished_copy (source TEXT NOT NULL) STRICT')
  db.prepare('INSERT INTO unfinished_copy VALUES (?)').run(source)
}

export function forgetCopy(db: DatabaseSync): void {
  db.exec('DROP TABLE unfinished_copy')
}
