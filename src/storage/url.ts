import { StorageError } from './errors.ts'

export interface DatabaseUrl {
  engine: 'sqlite'
  /** `:memory:`, or where the file is. */
  path: string
}

/** Takes a database URL apart: `sqlite:` and a path, or `sqlite::memory:`. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : ''
  if (path === '') throw new StorageError(`No storage for "${url}": use sqlite: and a path.`)
  return { engine: 'sqlite', path }
}
