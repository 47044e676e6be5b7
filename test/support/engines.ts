import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock, Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'

export interface Engine {
  name: string
  /** A database URL of an empty database, gone when the test ends. */
  url(t: TestContext): string
  /** That database, open, closed when the test ends. */
  open(t: TestContext, clock?: Clock): Promise<Storage>
}

export const sqlite = engine('sqlite', (t) => `sqlite:${join(temporaryFolder(t), 'petstore.db')}`)
export const sqliteInMemory = engine('sqlite in memory', () => 'sqlite::memory:')

/** Every engine that keeps the promises of the storage port. */
export const engines: readonly Engine[] = [sqlite, sqliteInMemory]

function engine(name: string, url: (t: TestContext) => string): Engine {
  return {
    name,
    url,
    async open(t, clock) {
      const storage = await openStorage(url(t), clock === undefined ? {} : { clock })
      t.after(() => storage.close())
      return storage
    },
  }
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
