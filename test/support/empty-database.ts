import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { temporaryFolder } from './engines.ts'

export function emptyDatabase(t: TestContext): { db: DatabaseSync; path: string } {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = openForWriting(path)
  t.after(() => {
    if (db.isOpen) db.close()
  })
  return { db, path }
}

export function tables(db: DatabaseSync): string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return (rows as { name: string }[]).map(({ name }) => name)
}
