import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { temporaryFolder } from './engines.ts'

/** A shop with Rex in a file, and another connection to it, which renames Rex at once. */
export async function openShopTwice(t: TestContext) {
  const path = `${temporaryFolder(t)}/pets.db`
  const storage = await openSqlite(path, { clock: Date.now })
  t.after(() => storage.close())
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  const rename = (name: string) => void other.prepare(`UPDATE pets SET name = ? WHERE id = 1`).run(name)
  return { path, storage, other, rename }
}
