import type { Environment } from '../../contract/environment.ts'
import type { Clock } from '../../inventory/clock.ts'
import { defaultBudget, type SearchBudget } from '../shared/reads/find-by-name.ts'
import { composeStorage, type SqliteStorage } from './compose-storage.ts'
import { refuseMissing } from './connection/create-file.ts'
import { openForInspection, watchReads } from './connection/database.ts'
import { explain } from './connection/errors.ts'
import { watchHealth } from './connection/health.ts'
import { inlineSearcher } from './reads/searcher.ts'
import { latestSchema } from './schema/migrate.ts'
import { refuseUnusable } from './schema/refuse-unusable.ts'
import { type Committer, sqliteWriter } from './writes/writer.ts'

export interface ReadOnlyOptions {
  clock: Clock
  environment?: Environment | undefined
  searchBudget?: SearchBudget | undefined
}

/** A database that is only read, on the event loop: for a command. A backup may be in a folder that nobody may write. */
export function openReadOnly(path: string, options: ReadOnlyOptions): SqliteStorage {
  const { clock, environment, searchBudget = defaultBudget } = options
  refuseMissing(path, ': petstore serve makes it')
  const reader = openForInspection(path)
  try {
    refuseUnusable(reader, path, environment)
  } catch (error) {
    reader.close()
    throw explain(path, error)
  }
  const health = watchHealth(path)
  watchReads(reader, { health, schema: latestSchema() })
  const committer: Committer = {
    commit: async (group) =>
      group.map(() => ({ failure: { message: 'The database is only read.', unavailable: true } })),
    async close() {
      reader.close()
    },
  }
  return composeStorage({
    path,
    reader,
    writer: sqliteWriter(committer, { health }),
    searcher: inlineSearcher(reader, searchBudget),
    searchBudget,
    readAtEndOfTick: (read) => read(),
    health,
    clock,
    // Unknown: nothing is cached.
    version: () => Number.NaN,
    async check() {},
  })
}
