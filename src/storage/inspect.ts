import type { Inspection } from './shared/inspection.ts'
import { readDatabaseUrl } from './shared/url.ts'

/**
 * Looks at a database without changing anything. Undefined if it is not there yet: in memory, or a file that the first
 * start makes. Rejects with a sentence if it cannot be used.
 */
export async function inspectStorage(url: string): Promise<Inspection | undefined> {
  const database = readDatabaseUrl(url)
  // Loads an engine only when it is used.
  if (database.engine === 'postgres') return (await import('./postgres/upkeep/inspect.ts')).inspect(database.url)
  if (database.path === ':memory:') return undefined
  return (await import('./sqlite/upkeep/inspect.ts')).inspect(database.path)
}
