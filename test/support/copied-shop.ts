import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import type { CopyWatcher } from '../../src/storage/copy/copy.ts'
import { connect } from '../../src/storage/postgres/connection/connect.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import type { Engine } from './engines.ts'

export const nobody: CopyWatcher = () => undefined
export const refused = (message: RegExp) => ({ name: 'StorageError', message })

export async function bothUrls(t: TestContext, from: Engine, to: Engine): Promise<[from: string, to: string]> {
  return [await from.url(t), await to.url(t)]
}

/** What another program does that writes to the database: it renames a category. */
export async function writerTo(t: TestContext, url: string): Promise<() => void> {
  const sql = "UPDATE categories SET name = 'renamed' WHERE id = 7"
  if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length))
    t.after(() => db.close())
    return () => db.exec(sql)
  }
  const session = await connect(readServer(url))
  t.after(() => session.end())
  // Our sessions are read-only by default.
  return () => void session.run({ text: `BEGIN READ WRITE; ${sql}; COMMIT` })
}
