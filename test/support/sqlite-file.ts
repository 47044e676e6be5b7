import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import type { NewApiKey } from '../../src/inventory/keys.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { inlineCommitter } from '../../src/storage/sqlite/writes/commit-targets.ts'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { sqliteWriter, type Writer } from '../../src/storage/sqlite/writes/writer.ts'
import { temporaryFolder } from './engines.ts'

export const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

/** A connection of one's own to an up-to-date database, and a second one that plays another program. */
export function migrated(t: TestContext): { db: DatabaseSync; raw: DatabaseSync; path: string } {
  const path = join(temporaryFolder(t), 'petstore.db')
  const db = openForWriting(path)
  migrate(db, path)
  const raw = new DatabaseSync(path)
  t.after(() => {
    raw.close()
    db.close()
  })
  return { db, raw, path }
}

/** The engine on a file, and a connection that plays another program. */
export async function opened(
  t: TestContext,
  options: { lockTimeoutMs?: number } = {},
): Promise<{ storage: Storage; raw: DatabaseSync; path: string }> {
  const path = join(temporaryFolder(t), 'petstore.db')
  const storage = await openStorage(`sqlite:${path}`, options)
  const raw = new DatabaseSync(path)
  t.after(async () => {
    if (raw.isOpen) raw.close()
    await storage.close()
  })
  return { storage, raw, path }
}

export function writerOf(db: DatabaseSync): Writer {
  return sqliteWriter(inlineCommitter(db))
}

export function keyWith(name: string): NewApiKey {
  return { id: `key_${name}`, name, permission: 'write', hash: `hash ${name}`, createdAt: 0 }
}

export function count(db: DatabaseSync, table: string): number {
  return Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
}
