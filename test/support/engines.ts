import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Clock } from '../../src/inventory/clock.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { postgresDatabase } from './postgres-databases.ts'

export interface Engine {
  name: string
  /** Whether `version` detects commits. */
  hasVersion: boolean
  /** The URL of an empty database, removed when the test ends. */
  url(t: TestContext): Promise<string>
  /** Opens such a database; closed when the test ends. */
  open(t: TestContext, clock?: Clock): Promise<Storage>
}

export const sqlite = engine('sqlite', true, async (t) => `sqlite:${join(temporaryFolder(t), 'petstore.db')}`)
export const sqliteInMemory = engine('sqlite in memory', true, async () => 'sqlite::memory:')
export const postgres = engine('postgres', false, postgresDatabase)

/**
 * The engines of tests that hold for every engine. SQLite in a file differs from SQLite in memory by its writer thread:
 * `npm run test:slow` runs these tests on it too (test/run.ts).
 */
const asked = [sqlite, sqliteInMemory].filter(({ name }) => name === process.env['PETSTORE_TEST_ENGINE'])
export const engines: readonly Engine[] = asked.length > 0 ? asked : [sqliteInMemory, postgres]

/** Far above those of the service: beside many busy processes, a test process may stand still for seconds. */
export const timeouts = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000 }

function engine(name: string, hasVersion: boolean, url: (t: TestContext) => Promise<string>): Engine {
  return {
    name,
    hasVersion,
    url,
    async open(t, clock) {
      const storage = await openStorage(await url(t), { ...timeouts, ...(clock !== undefined && { clock }) })
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
