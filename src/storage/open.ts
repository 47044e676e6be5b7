import type { Clock, Storage } from '../inventory/storage.ts'
import { StorageError } from './errors.ts'
import { openSqlite } from './sqlite/open.ts'

/** Opens the engine that a database URL names, with its schema up to date. `sqlite:` and a path, or `sqlite::memory:`. */
export async function openStorage(url: string, clock: Clock = Date.now): Promise<Storage> {
  const [, scheme, rest = ''] = /^([a-z]+):(.*)$/s.exec(url) ?? []
  if (scheme === 'sqlite' && rest !== '') return openSqlite(rest, clock)
  throw new StorageError(`No storage for "${url}": use sqlite: and a path.`)
}
